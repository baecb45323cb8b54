import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gate, openGate } from "../../../src/index.ts";
import { plainProgram } from "../../support/plain-program.ts";

export const EXECUTOR_TOKEN = "executor-token-of-the-contract";
const SECRET = "tok-4711-abcdefgh";

/** A workspace with a configuration that all doors are opened on, one each, and the operator who watches it. */
export interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly config: string;
  /** The variables that a program of ours is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Another process on the same state: answers questions, opens sessions and reads the ledger. */
  readonly operator: Gate;
  readonly put: (path: string, text: string) => void;
}

const CONFIG = {
  tools: {
    builtin: ["files", "shell", "artifacts"],
    scripts: ["scripts.yaml"],
    atip: [{ file: "cat.json", trust: "vendor" }],
    mcp: { up: { command: "node", args: ["upstream.mjs"], trust: "vendor" } },
    client: {
      count_words: {
        description: "Counts the words of a file.",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        touches: { read: ["path"] },
        timeoutMs: 60_000,
        command: ["wc", "-w", "--", "{path}"],
      },
    },
  },
  ledger: { durability: "normal" },
  secrets: [{ env: "CONTRACT_SECRET" }],
  rules: [
    { id: "look", effect: "allow", touch: { read: ["./**"] } },
    { id: "free", effect: "allow", touch: { write: ["./free/**"] } },
    { id: "asked", effect: "ask", touch: { write: ["./asked/**"] }, because: "people decide" },
    { id: "private", effect: "deny", touch: { read: ["./private/**"] } },
    { id: "programs", effect: "allow", touch: { exec: ["false", "sleep *", "echo **"] } },
    { id: "scripts", effect: "allow", tools: ["greet", "big_file"] },
    { id: "up", effect: "allow", touch: { tool: ["up_*"] } },
    { id: "words", effect: "allow", tools: ["count_words"] },
    { id: "published", effect: "allow", tools: ["fetch_artifact"] },
    { id: "cat", effect: "allow", tools: ["cat"] },
  ],
  server: {
    users: [
      {
        name: "editor",
        roles: ["executor"],
        token: `sha256:${createHash("sha256").update(EXECUTOR_TOKEN).digest("hex")}`,
      },
    ],
  },
};

const SCRIPTS = {
  tools: {
    greet: {
      name: "Greet",
      description: "Greets somebody.",
      script: "printf 'hello %s\\n' {{who}}\n",
      parameters: [{ name: "who", type: "string", required: true, description: "whom" }],
    },
    big_file: {
      name: "Big file",
      description: "Writes a file of 5 MB.",
      script: "head -c 5000000 /dev/zero > /tmp/out.bin\n",
      sandbox: { resource_limits: { max_file_size_mb: 1 } },
    },
  },
};

const INTERACTIVE = {
  atip: { version: "0.6" },
  name: "cat",
  version: "9.1",
  description: "Prints what somebody types",
  trust: { source: "vendor" },
  commands: {
    "": {
      description: "Prints what somebody types",
      effects: {
        filesystem: { read: false, write: false, delete: false },
        network: false,
        destructive: false,
        reversible: true,
        interactive: { stdin: "required" },
      },
    },
  },
};

export async function openPlace(): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-contract-")));
  const put = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  for (const name of ["free", "asked", "private", ".home"]) mkdirSync(join(folder, name));
  put("notes.txt", "hello from the notes\n");
  put("private/key.txt", "nobody reads this\n");
  put("free/twice.txt", "a a\n");
  put("token.txt", `the token is ${SECRET}\n`);
  put("big.txt", "0123456789abcde\n".repeat(100_000));
  put("asked/changed.txt", "as it was\n");
  put("scripts.yaml", JSON.stringify(SCRIPTS));
  put("cat.json", JSON.stringify(INTERACTIVE));
  put("toolgate.yaml", JSON.stringify(CONFIG));
  put("upstream.mjs", plainProgram("contract-upstream.ts"));
  process.env["CONTRACT_SECRET"] = SECRET;
  const config = join(folder, "toolgate.yaml");
  const operator = await openGate({ config });
  return {
    folder,
    config,
    operator,
    put,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(folder, ".home"),
      TMPDIR: tmpdir(),
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
      CONTRACT_SECRET: SECRET,
    },
    [Symbol.asyncDispose]: async () => {
      await operator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
