import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CheckedPath } from "../../src/ports/files.ts";
import type { Mount, Sandbox, SandboxCommand } from "../../src/ports/sandbox.ts";
import { STARTER } from "../../src/sandbox/bubblewrap-arguments.ts";
import { residentSpawner } from "../../src/sandbox/spawner.ts";
import { openDescriptors, openScratch, type Scratch, unwrap } from "../files/scratch.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { stopAtManyMoments } from "./left-behind.ts";
import { ran, sandboxAhead } from "./real-sandbox.ts";

const spawner = String((await residentSpawner())?.pid);

const LIMITS = { memoryBytes: 2 ** 29, openFiles: 256, tasks: 32, fileBytes: 2 ** 20 };

const command = (script: string, mounts: readonly Mount[] = []): SandboxCommand => ({
  argv: ["/bin/bash", "--noprofile", "--norc", "-c", script],
  mounts,
  view: "system",
  limits: LIMITS,
});

const held = async ({ files, workspace }: Scratch, access: "read" | "write" = "write"): Promise<Mount & Disposable> => {
  const one = unwrap(await files.hold(workspace as CheckedPath, "directory"));
  return { kind: "held", held: one, access, [Symbol.dispose]: () => one[Symbol.dispose]() };
};

/** Launchers of this process that wait for a program. */
const waiting = (): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readFileSync(`/proc/${pid}/cmdline`, "latin1").endsWith(`\0${STARTER}\0`))
        return false;
      return statOf(pid)?.parent === spawner;
    } catch {
      return false;
    }
  });

const statOf = (pid: number | string): { readonly state: string; readonly parent: string } | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent };
  } catch {
    return null;
  }
};

/** What waits in the sandbox of a launcher, once it is there: the child of its first process. */
const starterOf = (launcher: string): string | null =>
  readdirSync("/proc").find((pid) => {
    const first = /^\d+$/.test(pid) ? statOf(pid)?.parent : undefined;
    if (first === undefined || statOf(first)?.parent !== launcher) return false;
    return readFileSync(`/proc/${pid}/cmdline`, "latin1") === `${STARTER}\0`;
  }) ?? null;

/** After two that see the same, one waits for the third. */
async function oneWaits(sandbox: Sandbox, mounts: readonly Mount[] = []): Promise<string> {
  for (let i = 0; i < 2; i++) await ran(command("true", mounts), sandbox);
  await expect.poll(waiting).toHaveLength(1);
  return waiting()[0] as string;
}

/** Everything that a program can tell of where it runs, but what is another each time. */
const ABOUT = `
  env | sort; pwd; id; ulimit -a; ls /proc/self/fd; cat /proc/self/cgroup | grep -v toolgate-; cat /proc/self/uid_map
  grep -E "^(Cap|NoNewPrivs|Seccomp|Sig|NSpid|Groups)" /proc/self/status; cat /proc/sys/kernel/hostname
  ps -eo pid,ppid,pgid,sid,args; ls -A / | grep -v toolgate-; ls -lA --time-style=+ /etc /dev /tmp "$HOME"; cat /proc/net/dev
  cut -d" " -f4-6 /proc/self/mountinfo; cat /proc/1/environ; ls -l --time-style=+ /proc/1/fd /proc/2/fd`;

needs("bwrap", "prlimit")("sandboxes that are set up ahead", () => {
  it.runIf(process.arch === "x64")("are used by the next program that sees the same, which can't tell", async () => {
    using scratch = openScratch();
    using mount = await held(scratch);
    await using sandbox = sandboxAhead(scratch.workspace);
    const about = () => ran({ ...command(ABOUT, [mount]), cwd: scratch.workspace }, sandbox);
    const plain = await about();
    expect(plain).toMatchObject({ end: { kind: "exited", exitCode: 0 } });
    await about();
    await expect.poll(waiting).toHaveLength(1);
    const [pid] = waiting();
    // Sockets have numbers, and the launcher's own command line names the program where there is one.
    const without = (text: string) =>
      text
        .replaceAll(/(?<=(?:socket|pipe):)\[\d+\]|\d+(?= -> anon_inode)/g, "")
        .replace(/(bwrap --args \d+ -- ).*/, "$1");
    const ahead = await about();
    expect({ ...ahead, out: without(ahead.out) }).toEqual({ ...plain, out: without(plain.out) });
    expect(ahead.out).toContain(STARTER);
    expect(waiting()).not.toContain(pid);
  });

  it.runIf(process.arch === "x64")("tell how programs end, and of those that can't be started", async () => {
    await using sandbox = sandboxAhead("/nowhere");
    const ends = [];
    for (const script of ["exit 3", "kill -9 $$", "echo out; echo err >&2"]) {
      await oneWaits(sandbox);
      ends.push(await ran(command(script), sandbox));
    }
    expect(ends).toMatchObject([
      { end: { kind: "exited", exitCode: 3 } },
      { end: { kind: "exited", exitCode: 137 } },
      { end: { kind: "exited", exitCode: 0, errorText: "err\n" }, out: "out\n" },
    ]);
    await oneWaits(sandbox);
    const missing = await ran({ ...command(""), argv: ["/nosuch"] }, sandbox);
    expect(missing.end).toMatchObject({ kind: "refused", fault: { code: "SPAWN_FAILED" } });
  });

  it.runIf(process.arch === "x64")("give each program its own input, and none to one that has none", async () => {
    await using sandbox = sandboxAhead("/nowhere");
    const reads = (stdin?: string) =>
      ran({ ...command("ls -l /proc/self/fd/0 | grep -c pipe; cat"), ...(stdin !== undefined && { stdin }) }, sandbox);
    for (const stdin of ["one", "two"]) expect((await reads(stdin)).out).toBe(`1\n${stdin}`);
    await expect.poll(waiting).toHaveLength(1);
    const [pid] = waiting();
    expect((await reads()).out).toBe("0\n");
    expect(waiting()).toContain(pid);
    for (const stdin of ["three", ""]) expect((await reads(stdin)).out).toBe(`1\n${stdin}`);
    expect(waiting()).not.toContain(pid);
  });

  it.runIf(process.arch === "x64")("bound the tasks of a program", async () => {
    await using sandbox = sandboxAhead("/nowhere");
    await oneWaits(sandbox);
    const { out } = await ran(command("for i in $(seq 60); do sleep 0.3 & done 2>&1 | grep -c fork"), sandbox);
    expect(Number(out)).toBeGreaterThan(0);
  });

  it.runIf(process.arch === "x64")("are not used where what is mounted is no longer what is there", async () => {
    using scratch = openScratch();
    await using sandbox = sandboxAhead(scratch.workspace);
    const secrets = join(scratch.workspace, "secrets");
    scratch.put("secrets/one");
    const hidden: Mount = { kind: "hidden", path: secrets, as: "directory" };
    const read = command('cat "$PWD"/secrets/*', []);
    const attempt = async () => {
      using mount = await held(scratch, "read");
      return ran({ ...read, cwd: scratch.workspace, mounts: [mount, hidden] }, sandbox);
    };
    for (let i = 0; i < 2; i++) expect((await attempt()).out).toBe("");
    await expect.poll(waiting).toHaveLength(1);
    const [stale] = waiting();
    // The cover goes with the folder that it lay on.
    renameSync(secrets, `${secrets}.old`);
    scratch.put("secrets/two");
    expect((await attempt()).out).toBe("");
    await expect.poll(waiting).not.toContain(stale);
  });

  it.runIf(process.arch === "x64")("are not used for a folder that another has taken the place of", async () => {
    using scratch = openScratch();
    await using sandbox = sandboxAhead("/nowhere");
    const looked = async () => {
      using mount = await held(scratch);
      return (await ran({ ...command("ls -A", [mount]), cwd: scratch.workspace }, sandbox)).out;
    };
    rmSync(scratch.workspace, { recursive: true });
    mkdirSync(scratch.workspace);
    writeFileSync(join(scratch.workspace, "old"), "");
    expect([await looked(), await looked()]).toEqual(["old\n", "old\n"]);
    await expect.poll(waiting).toHaveLength(1);
    renameSync(scratch.workspace, `${scratch.workspace}-moved`);
    mkdirSync(scratch.workspace);
    writeFileSync(join(scratch.workspace, "new"), "");
    expect(await looked()).toBe("new\n");
    rmSync(`${scratch.workspace}-moved`, { recursive: true });
  });

  it.runIf(process.arch === "x64")("are not used where they stand in a folder that was moved", async () => {
    using scratch = openScratch();
    await using sandbox = sandboxAhead("/nowhere");
    using mount = await held(scratch);
    const folder = join(scratch.workspace, "sub");
    const outside = `${scratch.workspace}-moved`;
    const writes = () => ran({ ...command("cat name; pwd; echo x > written", [mount]), cwd: folder }, sandbox);
    scratch.put("sub/name", "old\n");
    for (let i = 0; i < 2; i++) expect((await writes()).out).toBe(`old\n${folder}\n`);
    await expect.poll(waiting).toHaveLength(1);
    renameSync(folder, outside);
    rmSync(join(outside, "written"));
    scratch.put("sub/name", "new\n");
    expect((await writes()).out).toBe(`new\n${folder}\n`);
    expect(readdirSync(outside)).toEqual(["name"]);
    rmSync(outside, { recursive: true });
  });

  it.runIf(process.arch === "x64")("are not set up for what comes and goes with each call", async () => {
    using scratch = openScratch();
    await using sandbox = sandboxAhead("/nowhere");
    const place = join(scratch.workspace, "place");
    for (let i = 0; i < 12; i++) {
      using mount = await held(scratch);
      mkdirSync(place);
      using one = unwrap(await scratch.files.hold(place as CheckedPath, "directory"));
      const kept: Mount = { kind: "kept", held: one, access: "read" };
      const { end } = await ran(command(`! touch ${place}/x 2>/dev/null`, [mount, kept]), sandbox);
      expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
      rmdirSync(place);
    }
    await expect.poll(waiting).toEqual([]);
  });

  it.runIf(process.arch === "x64")("are not set up where bubblewrap could make what has gone meanwhile", async () => {
    using scratch = openScratch();
    await using sandbox = sandboxAhead("/nowhere");
    const hidden: Mount = { kind: "hidden", path: scratch.put(".env"), as: "file" };
    using mount = await held(scratch);
    for (let i = 0; i < 3; i++) await ran(command("true", [mount, hidden]), sandbox);
    rmSync(hidden.path);
    // One that is begun later is there: so would be one that was begun before.
    await oneWaits(sandbox);
    expect([waiting().length, scratch.names()]).toEqual([1, []]);
  });

  it.runIf(process.arch === "x64")("are not taken for a program that they never became", async () => {
    await using sandbox = sandboxAhead("/nowhere");
    const launcher = await oneWaits(sandbox);
    await expect.poll(() => starterOf(launcher)).not.toBeNull();
    const starter = Number(starterOf(launcher));
    process.kill(starter, "SIGSTOP");
    const running = ran(command("echo ran"), sandbox);
    // It is told once it is nobody's any more.
    await expect.poll(() => statOf(starter)?.state).toBe("T");
    await new Promise((resolve) => setImmediate(resolve));
    process.kill(starter, "SIGKILL");
    expect(await running).toMatchObject({ end: { kind: "refused", fault: { code: "SPAWN_FAILED" } }, out: "" });
  });

  it.runIf(process.arch === "x64")("are given to nobody once they are given up", async () => {
    const sandbox = sandboxAhead("/nowhere");
    await oneWaits(sandbox);
    const running = ran(command("echo ran"), sandbox);
    await Promise.all([sandbox.close?.(), running]);
    expect(await running).toMatchObject({ end: { kind: "exited", exitCode: 0 }, out: "ran\n" });
  });

  it.runIf(process.arch === "x64")("are replaced when somebody has killed them", async () => {
    await using sandbox = sandboxAhead("/nowhere");
    const pid = await oneWaits(sandbox);
    process.kill(Number(pid), "SIGKILL");
    // Until it has been seen to be dead: before, what is in it may still begin, and its end is `lost`.
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    expect(await ran(command("echo here"), sandbox)).toMatchObject({ end: { kind: "exited" }, out: "here\n" });
  });

  it.runIf(process.arch === "x64")("stay for others when a program is stopped before it began", async () => {
    await using sandbox = sandboxAhead("/nowhere");
    await oneWaits(sandbox);
    const program = sandbox.start(command("echo never"), NEVER);
    program.stop();
    expect([await Array.fromAsync(program.output), await program.ended]).toEqual([[], { kind: "stopped" }]);
    // While it was taken another one may have been set up: one of the two goes.
    await expect.poll(waiting).toHaveLength(1);
    const controller = new AbortController();
    const running = sandbox.start(command("sleep 60"), controller.signal);
    setImmediate(() => controller.abort());
    expect(await running.ended).toEqual({ kind: "stopped" });
  });

  it.runIf(process.arch === "x64")("are left to nobody by a program that is stopped while it takes one", async () => {
    for (let looks = 2; looks < 6; looks++) {
      const sandbox = sandboxAhead("/nowhere");
      await oneWaits(sandbox);
      const controller = new AbortController();
      let looked = 0;
      // Whoever looks so often finds it stopped, as if that had happened just before.
      const signal = new Proxy(controller.signal, {
        get: (target, name) => {
          if (name === "aborted" && ++looked === looks) controller.abort();
          const value = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      const { ended } = sandbox.start(command("sleep 60"), signal);
      setImmediate(() => controller.abort());
      expect(await ended).toEqual({ kind: "stopped" });
      await sandbox.close?.();
      await expect.poll(waiting).toEqual([]);
    }
  });

  it("are gone at whatever moment a program in them is stopped (A32)", () => stopAtManyMoments(40, "ahead"));

  it.runIf(process.arch === "x64")("keep no input that is long, and go when they are closed", async () => {
    const sandbox = sandboxAhead("/nowhere");
    await ran(command("true"), sandbox);
    const before = openDescriptors();
    for (let i = 0; i < 3; i++) await ran({ ...command("cat"), stdin: "text".repeat(1000) }, sandbox);
    expect(waiting()).toEqual([]);
    await oneWaits(sandbox);
    await sandbox.close?.();
    expect(waiting()).toEqual([]);
    await ran(command("true"), sandbox);
    await ran(command("true"), sandbox);
    expect([waiting(), openDescriptors()]).toEqual([[], before]);
  });
});
