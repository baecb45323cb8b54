import { it } from "vitest";
import { killClientServerAt } from "./client-kill-points.ts";

it("`kill -9` of the server when the result of a call that a client runs has come", () =>
  killClientServerAt("result heard", 3));
