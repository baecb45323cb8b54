// Serves a gate with a counting tool and kills itself when a call reaches a border for the nth time; prints its link.
// node serves-and-dies.ts <folder> <border or never> <n> [memory]: it uses up its memory instead

import { openSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { a2aDoor } from "../../src/doors/a2a/a2a-door.ts";
import { restDoor } from "../../src/doors/rest/rest-door.ts";
import { openServer } from "../../src/doors/serve/open-server.ts";
import type { Door } from "../../src/doors/wire/server-env.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import { counterFile, countTool } from "../pipeline/counting-gate.ts";
import { ADMIN } from "../support/admin-token.ts";

const [folder = "", border = "", nth = "1", by = "kill"] = process.argv.slice(2);
const loaded = loadConfig({ path: join(folder, "toolgate.yaml") });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const { config } = loaded;

let passed = 0;
const reached = (at: string): void => {
  if (at !== border || ++passed !== Number(nth)) return;
  if (by === "memory") for (const kept: object[] = []; ; ) kept.push(new Array(1_000_000).fill(null));
  process.kill(process.pid, "SIGKILL");
};
const probe = { reached };

const WHAT: Readonly<Record<string, string>> = { execute: "call", approve: "answer", ack: "ack", result: "result" };

/** Borders that only a server has: a request is heard, and its answer is about to be sent. */
const borders: Door = {
  name: "borders",
  publicPaths: [],
  mount: (app) =>
    app.use(async ({ req }, next) => {
      const what = WHAT[req.path.split("/").at(-1) ?? ""] ?? "other";
      reached(`${what} heard`);
      await next();
      reached(`${what} told`);
    }),
};

const gate = buildGate({ config, tools: [countTool(config.workspace, counterFile(folder))] }, { probe });
await gate.begin();
const logFile = openSync(join(folder, "log"), "a");
const log = (level: string, message: string, fields: object = {}) =>
  void writeSync(logFile, `${JSON.stringify({ level, message, ...fields })}\n`);
const server = await openServer({ gate, adminToken: ADMIN, doors: [borders, restDoor, a2aDoor], log, port: 0 });
// Whoever is killed leaves nothing behind for the next one, unless it is written before.
flushCompileCache();
process.stdout.write(`${server.url}\n`);
process.once("SIGTERM", () => void server.close());
