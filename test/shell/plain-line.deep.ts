import { describe } from "vitest";
import { readBothWays } from "./plain-line.ts";

describe("a line that needs no parser", () => readBothWays(200_000));
