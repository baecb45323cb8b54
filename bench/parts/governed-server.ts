import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { restDoor } from "../../src/doors/rest/rest-door.ts";
import { openServer } from "../../src/doors/serve/open-server.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { BareServer } from "./bare-server.ts";
import type { Scratch } from "./scratch.ts";

export const TOKEN = "bench-token-0000000000000000000000000000000";

const RULES = [
  { id: "read", effect: "allow", touch: { read: ["./**"] } },
  { id: "write", effect: "ask", touch: { write: ["./**"] } },
];

/** The whole server, with a tool that is allowed (`echo`) and one that is asked about (`act`), both doing nothing. */
export async function openGovernedServer(scratch: Scratch, openQuestionsMax: number): Promise<BareServer> {
  const path = join(scratch.makeFolder("server"), "toolgate.yaml");
  writeFileSync(path, JSON.stringify({ rules: RULES }));
  const loaded = loadConfig({ path });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const tool = (name: string, kind: "read" | "write") =>
    defineTool({
      name,
      description: "Does nothing.",
      inputSchema: { type: "object" },
      touches: () => [{ kind, path: join(config.workspace, "notes.txt") }],
      execute: () => "done",
    });
  const gate = buildGate(
    { config, tools: [tool("echo", "read"), tool("act", "write")] },
    { approval: { openQuestionsMax } },
  );
  const refusal = await gate.begin();
  if (refusal !== null) throw new Error(refusal.message);
  const server = await openServer({ gate, adminToken: TOKEN, doors: [restDoor], log: () => {}, port: 0 });
  return { url: server.url, close: () => server.close(0) };
}
