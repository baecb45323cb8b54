import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { FirstProcess } from "../../src/sandbox/first-process.ts";
import { openDescriptors, openScratch, unwrap } from "../files/scratch.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { startProgram } from "../support/started-program.ts";
import { marker, processesWith, stopAtManyMoments, untilGone } from "./left-behind.ts";
import { LIMITS_FOR_TESTS, ran, realSandbox, scripted } from "./real-sandbox.ts";

needs("bwrap", "prlimit")("a program in bubblewrap", () => {
  it.each([0, 1, 2, 42, 127, 255])("that ends with %i has ended with %i (A33)", async (code) =>
    expect(await ran(scripted(`echo out; echo err >&2; exit ${code}`))).toEqual({
      end: { kind: "exited", exitCode: code, errorText: "err\n" },
      out: "out\n",
    }),
  );

  it("that dies of a signal has ended with 128 and its number (A33)", async () =>
    expect((await ran(scripted("kill -SEGV $$"))).end).toMatchObject({ kind: "exited", exitCode: 128 + 11 }));

  it("sees what is mounted, and nothing else of the machine (A19)", async () => {
    using scratch = openScratch();
    scratch.put("dir/a.txt", "inside");
    using held = unwrap(await scratch.files.hold(await scratch.checked("dir"), "directory"));
    const script = `cat '${held.path}/a.txt'; ls -A / '${scratch.workspace}'; ls /proc /etc /tmp/.. /root /home /dev 2>&1`;
    const { out } = await ran(scripted(script, [{ kind: "held", held }]));
    expect(out).toContain("inside");
    expect(out).toContain(`${scratch.workspace}:\ndir\n`);
    for (const folder of ["/proc", "/etc", "/root", "/home", "/dev"])
      expect(out).toContain(`'${folder}': No such file`);
    expect(out).not.toContain("outside");
  });

  it("can write nowhere", async () => {
    using scratch = openScratch();
    scratch.put("dir/a.txt", "inside");
    using held = unwrap(await scratch.files.hold(await scratch.checked("dir"), "directory"));
    const targets = [`${held.path}/a.txt`, `${held.path}/new`, "/new", "/usr/new", `${scratch.workspace}/new`];
    const script = targets.map((path) => `{ echo x > '${path}'; } 2>&1 && echo WRITTEN`).join("\n");
    const { out } = await ran(scripted(script, [{ kind: "held", held }]));
    expect(out).not.toContain("WRITTEN");
    expect(out.match(/Read-only file system|Permission denied/g)).toHaveLength(targets.length);
    expect(scratch.text("dir/a.txt")).toBe("inside");
  });

  it("has an empty environment, and so has its launcher", async () => {
    process.env["TOOLGATE_TEST_SECRET"] = "hunter2";
    try {
      const { out } = await ran(scripted("/usr/bin/env"));
      expect(out.split("\n").filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=|^$/.test(line))).toEqual([]);
    } finally {
      delete process.env["TOOLGATE_TEST_SECRET"];
    }
  });

  it("has no descriptor but its three: through that of a directory `..` would lead out (A32)", async () => {
    using scratch = openScratch();
    scratch.put(".gitignore");
    using tree = unwrap(await scratch.files.hold(await scratch.checked("."), "directory"));
    using file = unwrap(await scratch.files.hold(await scratch.checked(".gitignore"), "file"));
    // Which descriptors can be copied. From 10 on they are the shell's own.
    const script = "for i in {3..9}; do { : <&$i; } 2>&- && echo $i; done; true";
    const mounts = [tree, file].map((held) => ({ kind: "held", held }) as const);
    const { out } = await ran(scripted(script, mounts));
    expect(out).toBe("");
  });

  it("reaches no network and no listener of this machine (A34)", async () => {
    const server = createServer((_, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { out } = await ran(scripted(`{ exec 4<>/dev/tcp/127.0.0.1/${port}; } 2>&1 && echo REACHED`));
      expect(out).toContain("refused");
      expect(out).not.toContain("REACHED");
    } finally {
      server.close();
    }
  });

  it.each(["unshare -U true", "unshare -m true", "mount -t tmpfs none /usr", "mknod /x c 1 1", "chroot / /bin/true"])(
    "may not: %s (A34)",
    async (line) => {
      const { out } = await ran(scripted(`${line} 2>&1 && echo DONE`));
      expect(out).not.toContain("DONE");
    },
  );

  it("is stopped by its memory limit (A20)", async () => {
    const script = "x=$(printf '%200000000s' y); echo done";
    const { end, out } = await ran(scripted(script, [], { ...LIMITS_FOR_TESTS, memoryBytes: 64 * 1024 * 1024 }));
    expect(end).not.toMatchObject({ exitCode: 0 });
    expect(out).toBe("");
  });

  it("is gone with all it has started when it is stopped, and leaves no descriptor (A32)", async () => {
    const sleep = marker();
    const before = openDescriptors();
    const stop = new AbortController();
    const script = `setsid sleep ${sleep} & (setsid sleep ${sleep} &); echo running; sleep ${sleep}`;
    const { output, ended } = realSandbox().start(scripted(script), stop.signal);
    for await (const _ of output) {
      expect(processesWith(sleep).length).toBeGreaterThan(2);
      stop.abort();
    }
    expect(await ended).toEqual({ kind: "stopped" });
    await untilGone(sleep);
    expect(openDescriptors()).toBe(before);
  });

  it("is gone at whatever moment it is stopped, also before it runs (A32)", () => stopAtManyMoments(40));

  it("is stopped also when nobody reads what it prints (A31)", async () => {
    const program = realSandbox().start(scripted("while true; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done"), NEVER);
    for await (const _ of program.output) break;
    program.stop();
    program.stop();
    expect(await program.ended).toEqual({ kind: "stopped" });
  });

  it("is not started once the caller has gone", async () => {
    const { end, out } = await ran(scripted("echo ran"), realSandbox(), AbortSignal.abort());
    expect([end, out]).toEqual([{ kind: "stopped" }, ""]);
  });

  it("goes with the gate when that is killed (A32)", async () => {
    const sleep = marker();
    const program = startProgram("sandboxes-forever.ts", [sleep]);
    expect(await program.line()).toBe("running");
    expect(processesWith(sleep).length).toBeGreaterThan(2);
    await program.kill();
    await untilGone(sleep);
  });

  it("does not begin if the gate is killed while its sandbox is set up (A32)", async () => {
    using scratch = openScratch();
    const program = startProgram("waits-before-begin.ts", [scratch.workspace]);
    const first = new FirstProcess(Number(await program.line()));
    expect(first.isThere()).toBe(true);
    await program.kill();
    await expect.poll(() => first.isThere()).toBe(false);
    expect(scratch.names()).toEqual([]);
  });

  it("whose sandbox somebody kills is lost: nobody knows how far it got", async () => {
    const sleep = marker();
    const { output, ended } = realSandbox().start(scripted(`echo running; sleep ${sleep}`), NEVER);
    for await (const _ of output) {
      const launcher = processesWith(sleep).find((pid) => parentOf(pid) === process.pid);
      process.kill(Number(launcher), "SIGKILL");
    }
    expect(await ended).toEqual({ kind: "lost" });
    await untilGone(sleep);
  });

  it("that is not there was never started, and that is not its own exit code", async () =>
    expect((await ran({ ...scripted(""), argv: ["/nosuch"] })).end).toMatchObject({
      kind: "refused",
      fault: { code: "SPAWN_FAILED" },
    }));

  it("whose sandbox can't be set up was never started", async () => {
    const command = scripted("echo ran", [{ kind: "installed", path: "/nosuch/secret-name", at: "/x" }]);
    const { end, out } = await ran(command);
    expect(end).toMatchObject({ kind: "refused", fault: { code: "SANDBOX_UNAVAILABLE" } });
    expect(JSON.stringify(end)).not.toContain("secret-name");
    expect(out).toBe("");
  });

  it.each(["dir", "file"])("does not start when its %s is no longer what was judged (A16)", async (name) => {
    using scratch = openScratch();
    scratch.put("dir/a.txt", "judged");
    scratch.put("file", "judged");
    const kind = name === "dir" ? "directory" : "file";
    using held = unwrap(await scratch.files.hold(await scratch.checked(name), kind));
    const start = () => ran(scripted("echo ran", [{ kind: "held", held }]));
    expect((await start()).out).toBe("ran\n");
    renameSync(held.path, `${held.path}.away`);
    expect(await start()).toMatchObject({ end: { kind: "refused", fault: { code: "CONFLICT" } }, out: "" });
    symlinkSync(name === "dir" ? scratch.outside : join(scratch.outside, "secret.txt"), held.path);
    expect(await start()).toMatchObject({ end: { kind: "refused", fault: { code: "CONFLICT" } }, out: "" });
    rmSync(held.path);
    renameSync(`${held.path}.away`, held.path);
    expect((await start()).out).toBe("ran\n");
  });

  it("whose command line is too long was never started", async () =>
    expect((await ran({ ...scripted(""), argv: ["/bin/true", "x".repeat(3_000_000)] })).end).toMatchObject({
      kind: "refused",
      fault: { code: "SPAWN_FAILED" },
    }));

  it.each(["exit 0", "exit 1", "kill -9 $$"])(
    "is not taken for started by a launcher that does nothing of it: %s (F34)",
    (stub) => {
      using scratch = openScratch();
      const path = scratch.put("bwrap", `#!/bin/sh\n${stub}\n`);
      chmodSync(path, 0o755);
      const bwrap = realpathSync(execFileSync("which", ["bwrap"], { encoding: "utf8" }).trim());
      const program = fileURLToPath(new URL("../programs/runs-sandboxed.ts", import.meta.url));
      const prison = ["--dev-bind", "/", "/", "--ro-bind", path, bwrap, "--", process.execPath, program];
      const { end, out } = JSON.parse(execFileSync("bwrap", prison, { encoding: "utf8" }));
      expect(["refused", "lost"]).toContain(end.kind);
      if (end.kind === "refused") expect(end.fault.code).toBe("SANDBOX_UNAVAILABLE");
      expect(out).toBe("");
    },
  );

  it("is refused where user namespaces are, and nothing runs", () => {
    const program = fileURLToPath(new URL("../programs/runs-sandboxed.ts", import.meta.url));
    const prison = ["--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--", process.execPath, program];
    const { end, out } = JSON.parse(execFileSync("bwrap", prison, { encoding: "utf8" }));
    expect(end).toMatchObject({ kind: "refused", fault: { code: "SANDBOX_UNAVAILABLE" } });
    expect(out).toBe("");
  });
});

const parentOf = (pid: string): number =>
  Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

describe("without bubblewrap", () => {
  it.each([
    ["on the PATH", []],
    ["at all", ["/nosuch"]],
  ])("%s nothing is started", async (_, searchPath) => {
    const sandbox = openBubblewrap({ searchPath, workspace: "/w" });
    expect(sandbox.missing()).toMatchObject({ code: "SANDBOX_UNAVAILABLE", hint: expect.stringContaining("apt") });
    const { end, out } = await ran(scripted("echo ran"), sandbox);
    expect([end, out]).toEqual([{ kind: "refused", fault: sandbox.missing() }, ""]);
  });

  it("but one that an agent could have planted, nothing is started", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-planted-"));
    try {
      writeFileSync(join(folder, "bwrap"), "#!/bin/sh\ntouch planted\n", { mode: 0o755 });
      const sandbox = openBubblewrap({ searchPath: [folder], workspace: folder });
      expect((await ran(scripted("echo ran"), sandbox)).end).toMatchObject({ fault: { code: "SANDBOX_UNAVAILABLE" } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
