import { describe } from "vitest";
import { judgeCompositions, traceCompositions } from "./composed.ts";

describe("compositions", () => {
  judgeCompositions(1_000_000, 3);
  traceCompositions(20_000, 4);
});
