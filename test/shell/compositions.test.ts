import { describe } from "vitest";
import { judgeCompositions, traceCompositions } from "./composed.ts";

describe("compositions", () => {
  judgeCompositions(10_000, 1);
  traceCompositions(100, 2);
});
