/** `npm start`: the server, on a playground of its own where this folder has no configuration. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PLAYGROUND = join(ROOT, "playground");
const CONFIG = join(PLAYGROUND, "toolgate.yaml");

if (!existsSync(CONFIG)) {
  mkdirSync(PLAYGROUND, { recursive: true });
  writeFileSync(join(PLAYGROUND, "hello.txt"), "Hello from a file in the workspace.\n");
  const made = spawnSync(process.execPath, [join(ROOT, "bin", "toolgate.js"), "init"], {
    cwd: PLAYGROUND,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (made.status !== 0) process.exit(made.status ?? 1);
}
process.stdout.write(`the workspace is ${PLAYGROUND}; \`npm run tour\` shows the command line\n`);
// In this process, so that Ctrl-C and SIGTERM reach the server itself.
const { main } = await import("../src/doors/cli/main.ts");
process.exitCode = await main(["serve", "--config", CONFIG, ...process.argv.slice(2)]);
