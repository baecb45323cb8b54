import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openFiles } from "../../src/files/open-files.ts";
import type { CheckedPath } from "../../src/ports/files.ts";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { openUncontained } from "../../src/sandbox/uncontained.ts";

/** Runs every program of `escapes` in one sandbox (or, as a control, in none) and prints what they managed to do. */
const backend = process.argv[2];
const ESCAPES = fileURLToPath(new URL("escapes", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolgate-escapes-"));
const [workspace, outside, state] = [join(folder, "ws"), join(folder, "outside"), join(folder, "state")];
for (const one of [workspace, outside, state]) mkdirSync(one);
writeFileSync(join(outside, "secret.txt"), "the secret\n");
writeFileSync(join(outside, "victim"), "x");
writeFileSync(join(state, "ledger"), "the ledger\n");
const abstract = `toolgate-escapes-${process.pid}`;
const servers = [createServer(), createServer(), createServer()];
const listening = (server: ReturnType<typeof createServer>, where: object) =>
  new Promise<void>((resolve) => server.listen(where, resolve));
await listening(servers[0] as never, { host: "127.0.0.1", port: 0 });
await listening(servers[1] as never, { path: join(folder, "socket") });
await listening(servers[2] as never, { path: `\0${abstract}` });
const { port } = (servers[0] as Server).address() as AddressInfo;

const searchPath = (process.env["PATH"] ?? "").split(":");
const open = backend === "none" ? openUncontained : openBubblewrap;
const sandbox = open({ searchPath, workspace, home: "/root" });
const held = await openFiles({ workspace }).hold(workspace as CheckedPath, "directory");
if (!held.ok) throw new Error(held.fault.message);
const escapes = backend === "none" ? ESCAPES : "/escapes";
const start = (argv: readonly [string, ...string[]]) =>
  sandbox.start(
    {
      argv,
      view: "system",
      mounts: [
        { kind: "installed", path: ESCAPES, at: "/escapes" },
        { kind: "held", held: held.value, access: "write" },
      ],
      limits: { memoryBytes: 2 ** 31, openFiles: 1024, tasks: 128, fileBytes: 2 ** 30 },
      cwd: workspace,
      env: {
        ...{ OUT: outside, WS: workspace, STATE: state, PORT: String(port), HOSTPID: String(process.pid) },
        ...{ SOCK: join(folder, "socket"), ABSTRACT: abstract },
      },
    },
    new AbortController().signal,
  );
const program = start(["/bin/bash", "-c", `for one in ${escapes}/*; do timeout 10 "$one"; done`]);
let text = "";
for await (const { bytes } of program.chunks) text += Buffer.from(bytes);
const end = await program.ended;
const managed = [...text.matchAll(/^MANAGED ([\w.-]+): (.*)$/gm)].map(([, name, what]) => ({ name, what }));
for (const server of servers) server.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ end: end.kind, tried: readdirSync(ESCAPES).length, managed }));
process.exit(0);
