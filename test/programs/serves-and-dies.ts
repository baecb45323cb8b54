// Serves a gate with a counting tool and kills itself when a call reaches a border for the nth time; prints its link.
// node serves-and-dies.ts <folder> <border or never> <n>

import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { restDoor } from "../../src/doors/rest/rest-door.ts";
import { openServer } from "../../src/doors/serve/open-server.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import { counterFile, countTool } from "../pipeline/counting-gate.ts";
import { ADMIN } from "../support/admin-token.ts";

const [folder = "", border = "", nth = "1"] = process.argv.slice(2);
const loaded = loadConfig({ path: join(folder, "toolgate.yaml") });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const { config } = loaded;

let reached = 0;
const probe = {
  reached: (at: string) => {
    if (at === border && ++reached === Number(nth)) process.kill(process.pid, "SIGKILL");
  },
};
const gate = buildGate({ config, tools: [countTool(config.workspace, counterFile(folder))] }, { probe });
await gate.begin();
const server = await openServer({ gate, adminToken: ADMIN, doors: [restDoor], log: () => {}, port: 0 });
process.stdout.write(`${server.url}\n`);
process.once("SIGTERM", () => void server.close());
