import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Cgroup, sweepCgroups } from "../../src/sandbox/cgroups.ts";
import { findCgroups } from "../../src/sandbox/find-cgroups.ts";

const places = findCgroups();
const isUsable = places.pids !== null && places.memory !== null;
const LIMITS = { memoryBytes: 64 * 1024 * 1024, openFiles: 64, tasks: 8 };
const NONE = { pids: null, memory: null };

const folders: string[] = [];
const scratch = () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-cgroups-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is none of the kernel's: groups can be made in it, and limit nothing. */
const plainFolder = () => {
  const root = scratch();
  mkdirSync(join(root, "pids"));
  const own = join(root, "own");
  writeFileSync(own, "2:pids:/\n0::/\n");
  return { root, own };
};

describe("cgroups", () => {
  it("are not believed to be there because a folder is", () => {
    const { root, own } = plainFolder();
    expect(findCgroups(root, own)).toEqual(NONE);
  });

  it("are none where nothing tells of any", () => {
    expect(findCgroups(join(scratch(), "none"), join(scratch(), "none"))).toEqual(NONE);
    expect(Cgroup.create(NONE, "a")).toBeNull();
  });

  it("of gates that are gone are swept, and those of living ones left", () => {
    const { root } = plainFolder();
    const pids = join(root, "pids");
    const [dead, alive, foreign] = ["toolgate-4194999-x", `toolgate-${process.ppid}-x`, "somebody-4194999-x"];
    for (const name of [dead, alive, foreign]) mkdirSync(join(pids, name));
    sweepCgroups({ pids, memory: null });
    expect([dead, alive, foreign].map((name) => existsSync(join(pids, name)))).toEqual([false, true, true]);
  });
});

/** A group of version 2 as far as files can show it: groups that are made in it have no limits. */
const unifiedGroup = (path: string, below = "") => {
  const root = scratch();
  const folder = join(root, path);
  mkdirSync(folder, { recursive: true });
  for (const name of ["cgroup.procs", "cgroup.subtree_control"]) writeFileSync(join(folder, name), "");
  const own = join(root, "own");
  writeFileSync(own, `0::/${path}${below}\n`);
  return { root, own };
};

describe("in version 2", () => {
  const asked = (path: string, isDelegated: boolean, below?: string) => {
    const { root, own } = unifiedGroup(path, below);
    const questions: string[] = [];
    const found = findCgroups(root, own, {
      isDelegated: (unit, manager) => {
        questions.push(`is ${unit} of the ${manager} manager delegated`);
        return isDelegated;
      },
      moveToScope: () => {
        questions.push("move me to a scope");
        return false;
      },
    });
    expect(found).toEqual(NONE);
    return questions;
  };
  const app = "user.slice/user-1000.slice/user@1000.service/app.slice/run-1.scope";

  it("asks the user's manager whether the gate's group is delegated, and for a scope if it is not", () => {
    expect(asked(app, false)).toEqual(["is run-1.scope of the user manager delegated", "move me to a scope"]);
  });

  it("looks behind the leaf that the gate has moved to", () => {
    expect(asked(app, false, "/toolgate-gate")[0]).toBe("is run-1.scope of the user manager delegated");
  });

  it("asks for a scope if the gate is not in a unit's own group", () => {
    expect(asked(`${app}/deeper`, true)).toEqual(["move me to a scope"]);
  });

  it("asks the system's manager about a group of root's, and nobody about a user's own one", () => {
    const questions = asked("system.slice/toolgate.service", false);
    const ofRoot = ["is toolgate.service of the system manager delegated"];
    expect(questions).toEqual([...(process.getuid?.() === 0 ? ofRoot : []), "move me to a scope"]);
  });
});

describe.skipIf(!isUsable)("a group of this machine (skipped where none can be made)", () => {
  const made = () => {
    const group = Cgroup.create(places, `test${folders.length}${Math.random().toString(36).slice(2)}`);
    if (group === null) throw new Error("there are places, so there is a group");
    group.limit(LIMITS);
    return group;
  };

  it("holds whom it was given, and their children, and nobody else", async () => {
    const group = made();
    const child = spawn("sh", ["-c", "read x; sleep 1000 & echo $!; wait"], { stdio: ["pipe", "pipe", "ignore"] });
    const pid = child.pid ?? 0;
    expect([group.has(pid), group.has(process.pid)]).toEqual([false, false]);
    await group.add(pid);
    child.stdin.end("go\n");
    const grandchild = Number(String(await new Promise((resolve) => child.stdout.once("data", resolve))));
    expect([group.has(pid), group.has(grandchild), group.has(process.pid)]).toEqual([true, true, false]);
    expect(group.reached()).toEqual([]);
    for (const one of [grandchild, pid]) process.kill(one, "SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    group.remove();
  });

  it("holds from the start what is started around it, and not who started it", async () => {
    const group = made();
    const child = group.around(() => spawn("sh", ["-c", "read x"], { stdio: ["pipe", "ignore", "ignore"] }));
    const gone = new Promise((resolve) => child.once("close", resolve));
    expect([group.has(child.pid ?? 0), group.has(process.pid)]).toEqual([group.startsInside, false]);
    expect(() =>
      group.around(() => {
        throw new Error("not started");
      }),
    ).toThrow("not started");
    expect(group.has(process.pid)).toBe(false);
    expect(group.tasks()).toBe(places.pids === null ? null : group.startsInside ? 1 : 0);
    child.stdin.end();
    await gone;
    await expect.poll(() => group.tasks()).toBe(places.pids === null ? null : 0);
    group.remove();
    expect(group.tasks()).toBeNull();
  });

  it("does not hold whoever has gone", () => {
    const group = made();
    expect(group.has(4_194_999)).toBe(false);
    group.remove();
  });

  it("says which limit was reached", async () => {
    const group = made();
    // The kernel counts each fork that it refused.
    const child = spawn("bash", ["-c", "read x; for i in $(seq 40); do sleep 1000 & done; wait"], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    await group.add(child.pid ?? 0);
    child.stdin.end("go\n");
    await expect.poll(() => group.reached()).toEqual(["processes"]);
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    group.remove();
  });

  it("has nothing to say once it is taken away", () => {
    const group = made();
    group.remove();
    expect(group.reached()).toEqual([]);
  });
});
