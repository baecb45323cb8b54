import { once } from "node:events";
import type { Tool } from "../../../src/domain/call.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { call, ENVELOPE } from "../../support/mcp-lines.ts";
import { ALLOW_ALL, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

const RULES = [
  ...ALLOW_ALL,
  { id: "any", effect: "allow" as const, touch: { unknown: true as const } },
  { id: "no-secrets", effect: "deny" as const, touch: { read: ["./secret/**"] } },
  { id: "asked", effect: "ask" as const, touch: { read: ["./asked/**"] } },
];

/** A file that may be read, one that may not, and one that somebody is asked about. */
export function openReadingGate(...tools: readonly Tool[]): ScratchGate {
  const scratch = openScratchGate({ rules: RULES, tools });
  scratch.put("a.txt", "the words");
  scratch.put("secret/a.txt", "hidden");
  scratch.put("asked/a.txt", "more words");
  return scratch;
}

export const MODERN = { _meta: ENVELOPE };

/** An allowed call of a client of 2026-07-28. */
export const readCall = (id: unknown) => call(id, "read_file", { path: "a.txt" }, MODERN);

export const states = (scratch: ScratchGate) => scratch.rows().map(({ state }) => state);

/** `waits`, a tool that runs until `execute` is done; by itself, until it is taken back. */
export function waitingTool(execute: (signal: AbortSignal) => Promise<string> = untilTakenBack) {
  const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>();
  const tool = defineTool({
    name: "waits",
    description: "waits to be cancelled",
    inputSchema: { type: "object" },
    touches: () => [{ kind: "unknown", reason: "nobody says" }],
    execute: async (_, signal) => {
      resolve(signal);
      return await execute(signal);
    },
  });
  return { tool, begun };
}

async function untilTakenBack(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw signal.reason;
}
