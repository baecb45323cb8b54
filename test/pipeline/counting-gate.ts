import { appendFileSync, closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import type { Tool } from "../../src/domain/call.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { Probe } from "../../src/ports/probe.ts";
import { makeTool } from "../../src/tools/make-tool.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { systemIds } from "../../src/wiring/system-ids.ts";

export const counterFile = (folder: string): string => join(folder, "counter");
export const historyFile = (folder: string): string => join(folder, "history");

/** What a caller sees of one call, a line each: that it was made, and how it ended. */
export type Seen =
  | { readonly event: "made"; readonly callId: string; readonly tool: string; readonly path: string }
  | {
      readonly event: "ended";
      readonly callId: string;
      readonly kind: Outcome["kind"];
      readonly receipt: Outcome["receipt"];
    };

export interface Caller {
  readonly gate: Gate;
  /** Of the calls so far, in the order they were made. */
  readonly ids: readonly string[];
  /** Alternately a `count` and a `write_file`, each with its line in the history before and after. */
  readonly call: (n: number) => Promise<Outcome>;
}

/** A gate on `folder` with a tool whose every run leaves a durable line, and a caller who writes down what it sees. */
export function openCounting(folder: string, probe?: Probe): Caller {
  const loaded = loadConfig({ path: join(folder, "toolgate.yaml") });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const made: string[] = [];
  const system = systemIds(Date.now);
  const ids = {
    next: (prefix: string) => {
      const id = system.next(prefix);
      if (prefix === "call") made.push(id);
      return id;
    },
  };
  const approver: Approver = { ask: async () => ({ kind: "approve", who: "ann" }) };
  const tools = [countTool(config.workspace, counterFile(folder))];
  const gate = buildGate({ config, tools, approver }, { ids, ...(probe && { probe }) });
  const see = (seen: Seen) => appendFileSync(historyFile(folder), `${JSON.stringify(seen)}\n`);
  return {
    gate,
    ids: made,
    call: async (n) => {
      const tool = n % 2 === 0 ? "count" : "write_file";
      const path = `out/${process.pid}-${n}.txt`;
      const outcome = gate.call({ tool, input: tool === "count" ? {} : { path, content: String(n) } });
      const callId = made.at(-1) ?? "";
      see({ event: "made", callId, tool, path });
      const { kind, receipt } = await outcome;
      see({ event: "ended", callId, kind, receipt });
      return outcome;
    },
  };
}

/** Each of its runs leaves a durable line. */
export function countTool(workspace: string, counter: string): Tool {
  return makeTool({
    definition: {
      name: "count",
      description: "appends the call's id to a file",
      source: "function",
      containment: "process",
      inputSchema: { type: "object" },
      timeoutMs: 30_000,
    },
    plan: () => ({
      kind: "drafted",
      plan: { touches: [{ kind: "write", path: join(workspace, "counter") }], operands: [] },
    }),
    async *run({ callId }) {
      const fd = openSync(counter, "a");
      writeSync(fd, `${callId}\n`);
      fsyncSync(fd);
      closeSync(fd);
      return { kind: "completed", content: [{ type: "text", text: "counted" }] };
    },
  });
}
