/** The guided tour: an allowed call, a refused one, the ledger verified, in a workspace that is thrown away. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TOOLGATE = fileURLToPath(new URL("../bin/toolgate.js", import.meta.url));

const STEPS = [
  ["Every tool call of an agent goes through the gate. `init` writes rules that you can read:", ["init"], 0],
  ["Reading the workspace is allowed by a rule:", ["call", "read_file", '{"path":"README.md"}'], 0],
  [
    "Writing outside of it is covered by no rule, and no rule means no:",
    ["call", "write_file", '{"path":"../outside.txt","content":"x"}'],
    3,
  ],
  [
    "The gate's own files are closed to tools, whatever the rules say:",
    ["call", "read_file", '{"path":".toolgate/ledger.key"}'],
    3,
  ],
  [
    "What would a call do, and which rule decides? `explain` runs nothing:",
    ["explain", "write_file", '{"path":"a.txt","content":"x"}'],
    0,
  ],
  ["All of it is in the ledger, also what was refused:", ["ledger", "show"], 0],
  ["And the ledger can be checked, entry by entry:", ["ledger", "verify"], 0],
] as const;

const paint = (code: number, text: string): string => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);

const workspace = mkdtempSync(join(tmpdir(), "toolgate-tour-"));
let failed = false;
try {
  writeFileSync(join(workspace, "README.md"), "Hello from a file in the workspace.\n");
  for (const [told, args, expected] of STEPS) {
    const shown = args.map((word) => (/[^\w.-]/.test(word) ? `'${word}'` : word)).join(" ");
    process.stdout.write(`\n${told}\n${paint(36, `$ npx toolgate ${shown}`)}\n`);
    const env = { ...process.env, XDG_STATE_HOME: join(workspace, ".tour-state") };
    const { status } = spawnSync(process.execPath, [TOOLGATE, ...args], { cwd: workspace, stdio: "inherit", env });
    if (status !== expected) {
      process.stderr.write(`the tour expected exit code ${expected} and got ${status}\n`);
      failed = true;
    }
  }
  process.stdout.write(
    "\nNow in a workspace of your own: `npx toolgate init`, and read the toolgate.yaml that it writes.\n",
  );
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
