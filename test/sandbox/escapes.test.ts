import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { needs } from "../support/parts.ts";

const PROGRAM = fileURLToPath(new URL("../programs/runs-escapes.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "-u", "NODE_COMPILE_CACHE"];

interface Escapes {
  readonly end: string;
  readonly tried: number;
  readonly managed: readonly { readonly name: string; readonly what: string }[];
}

async function escapes(backend: "namespaces" | "none", wrapper: readonly string[] = []): Promise<Escapes> {
  const [command = "", ...args] = [...wrapper, process.execPath, PROGRAM, backend];
  const { stdout } = await promisify(execFile)(command, args, { timeout: 60_000 });
  return JSON.parse(stdout);
}

/** What a program of its own user may do to itself, and what needs more than this machine has. */
const BITES_MIN = isRoot ? 70 : 25;

needs(
  "bwrap",
  "prlimit",
  "python3",
  "setpriv",
)("programs that try to get out (A34)", () => {
  it("do get out where nothing holds them in: they do bite", async () => {
    const { tried, managed } = await escapes("none");
    expect(tried).toBeGreaterThanOrEqual(60);
    expect(new Set(managed.map(({ name }) => name)).size).toBeGreaterThanOrEqual(BITES_MIN);
  });

  it("manage nothing in the sandbox, as the user of this test", async () =>
    expect(await escapes("namespaces")).toMatchObject({ end: "exited", managed: [] }));

  it.skipIf(!isRoot)("manage nothing in the sandbox of an ordinary user", async () =>
    expect(await escapes("namespaces", AS_NOBODY)).toMatchObject({ end: "exited", managed: [] }),
  );
});
