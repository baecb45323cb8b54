import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { plantListeners } from "../../src/net/planted-listeners.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { type Canaries, tryCanaries } from "../../src/sandbox/canaries.ts";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";
import { privateFolder } from "../../src/sandbox/private-folder.ts";
import { openUncontained } from "../../src/sandbox/uncontained.ts";
import { needs } from "../support/parts.ts";
import { realSandbox } from "./real-sandbox.ts";

const namesOf = (canaries: readonly { readonly name: string; readonly held: boolean }[]) =>
  canaries.filter(({ held }) => !held).map(({ name }) => name);

async function tried(sandbox: Sandbox): Promise<Canaries> {
  using folder = privateFolder();
  using listeners = await plantListeners(join(folder.path, "socket"));
  return await tryCanaries(sandbox, listeners);
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
});
