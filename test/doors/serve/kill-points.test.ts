import { it } from "vitest";
import { killServerAt } from "./kill-points.ts";

it.each([
  ["allowed", "started"],
  ["allowed", "ran"],
  ["asked", "asked"],
  ["asked", "approved"],
  ["asked", "writing"],
  ["asked", "answered"],
  ["asked", "finished"],
] as const)("`kill -9` of the server at %s/%s", (mode, border) => killServerAt(mode, border, 3));
