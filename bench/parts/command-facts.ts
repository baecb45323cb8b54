import type { CallFacts } from "../../src/domain/call-facts.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";

export const WORKSPACE = "/workspace";

export const factsForBench = (): CallFacts => ({
  tool: "run_command",
  source: "builtin",
  containment: "sandbox",
  touches: [],
  input: {},
  actor: "bench",
  project: "default",
  session: { id: "bench", project: "default", lease: EVERYTHING },
  nowMs: 0,
});
