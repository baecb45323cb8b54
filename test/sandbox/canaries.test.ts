import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFiles } from "../../src/files/open-files.ts";
import { plantListeners } from "../../src/net/planted-listeners.ts";
import type { CheckedPath } from "../../src/ports/files.ts";
import type { Mount, Sandbox } from "../../src/ports/sandbox.ts";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { type Canaries, tryCanaries } from "../../src/sandbox/canaries.ts";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";
import { privateFolder } from "../../src/sandbox/private-folder.ts";
import { openUncontained } from "../../src/sandbox/uncontained.ts";
import { isRoot } from "../support/as-somebody.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { LIMITS_FOR_TESTS, realSandbox } from "./real-sandbox.ts";

const namesOf = (canaries: readonly { readonly name: string; readonly held: boolean }[]) =>
  canaries.filter(({ held }) => !held).map(({ name }) => name);

/** In a workspace with a folder that may be written, as calls run. */
async function tried(sandbox: Sandbox): Promise<Canaries> {
  using folder = privateFolder();
  using listeners = await plantListeners(join(folder.path, "socket"));
  const workspace = join(folder.path, "workspace");
  const writable = join(workspace, "writable");
  mkdirSync(writable, { recursive: true });
  const files = openFiles({ workspace });
  using stack = new DisposableStack();
  const hold = async (path: string, access: "read" | "write"): Promise<Mount> => {
    const held = await files.hold(path as CheckedPath, "directory");
    if (!held.ok) throw new Error(held.fault.message);
    return { kind: "held", held: stack.use(held.value), access };
  };
  const mounts = [await hold(workspace, "read"), await hold(writable, "write")];
  return await tryCanaries(sandbox, listeners, { workspace, writable, mounts });
}

needs("bwrap", "prlimit")("canaries", () => {
  it("are all held in by namespaces", async () => {
    const found = await tried(realSandbox());
    expect(found.kind === "tried" && [found.canaries.length > 10, namesOf(found.canaries)]).toEqual([true, []]);
  });

  it("get out where nothing holds them in", async () => {
    const mounts = () => readFileSync("/proc/self/mounts", "utf8").match(/ \S*\/m tmpfs /g)?.length;
    const before = mounts();
    const found = await tried(openUncontained({ searchPath: ["/usr/bin", "/bin"] }));
    expect(mounts()).toBe(before);
    const names = found.kind === "tried" ? namesOf(found.canaries) : [];
    expect(names).toEqual(
      expect.arrayContaining([
        "read a secret outside",
        "write outside",
        "write to the workspace without a grant",
        "leave a set-user-id file",
        "use more memory than it may by several processes",
        "use more memory than it may by sharing it",
        "leave a process behind",
        "see other processes",
        "see unix sockets of others",
        "reach a listener of this machine",
        "reach a unix socket of this machine",
      ]),
    );
  });

  it("are not tried where nothing can be started", async () =>
    expect(await tried(openBubblewrap({ searchPath: [], workspace: "/w" }))).toMatchObject({
      kind: "refused",
      fault: { code: "SANDBOX_UNAVAILABLE" },
    }));

  it("`none` has to be written out, and is the last resort", () => {
    const searchPath = (process.env["PATH"] ?? "").split(":");
    const places = { searchPath, workspace: "/nowhere" };
    expect(openSandbox("none", places).report().backend).toBe("namespaces");
    expect(openSandbox("none", { ...places, searchPath: [] }).report().backend).toBe("none");
    expect(openSandbox("namespaces", { ...places, searchPath: [] }).missing()?.code).toBe("SANDBOX_UNAVAILABLE");
  });

  const searchPath = (process.env["PATH"] ?? "").split(":");
  const options = { searchPath, workspace: "/nowhere", cgroups: { pids: null, memory: null } };

  it.skipIf(isRoot)("are held without cgroups too (skipped for root, whose tasks only a cgroup counts)", async () => {
    const found = await tried(openSandbox("namespaces", options));
    expect(found.kind === "tried" && namesOf(found.canaries)).toEqual([]);
  });

  it("start nothing without cgroups if the minimum is `groups`", async () => {
    const strict = openSandbox("groups", options);
    expect(strict.missing()).toMatchObject({ hint: expect.stringContaining("Delegate=yes") });
    const end = await strict.start({ argv: ["/bin/true"], mounts: [], limits: LIMITS_FOR_TESTS }, NEVER).ended;
    expect(end).toMatchObject({ kind: "refused", fault: { code: "SANDBOX_UNAVAILABLE" } });
  });
});
