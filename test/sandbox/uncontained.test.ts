import { existsSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { Secret } from "../../src/domain/secret.ts";
import type { SandboxCommand } from "../../src/ports/sandbox.ts";
import { openUncontained } from "../../src/sandbox/uncontained.ts";
import { ownTemporary } from "../support/own-temporary.ts";
import { NEVER } from "../support/sample-calls.ts";
import { marker, processesWith, untilGone } from "./left-behind.ts";
import { ran, scripted } from "./real-sandbox.ts";

const sandbox = openUncontained({ searchPath: ["/usr/bin", "/bin"] });
const run = (script: string, more: Partial<SandboxCommand> = {}, signal = NEVER) =>
  ran({ ...scripted(script), ...more }, sandbox, signal);

it("says that nothing holds programs in", () => {
  expect(sandbox.missing()).toBeNull();
  expect(sandbox.report()).toMatchObject({ backend: "none", seccomp: false, network: "host", tasks: "none" });
});

it.each([
  ["exit 0", 0],
  ["exit 42", 42],
  ["kill -SEGV $$", 139],
  ["kill -TERM $$", 143],
])("%s ends with %i", async (script, exitCode) =>
  expect((await run(`echo out; echo err >&2; ${script}`)).end).toMatchObject({ kind: "exited", exitCode }),
);

it("keeps both outputs apart, and the beginning of what was said to be wrong", async () => {
  const { output, ended } = sandbox.start(scripted("echo out; echo err >&2"), NEVER);
  expect(Buffer.concat(await Array.fromAsync(output)).toString()).toBe("out\n");
  expect(await ended).toMatchObject({ errorText: "err\n" });
});

it("gives a clean environment, a home and a folder of its own, and leaves nothing of them", async () => {
  using temporary = ownTemporary();
  process.env["TOOLGATE_TEST_SECRET"] = "hunter2";
  const env = { A: "a", B: new Secret("b"), OWN: "/tmp/own" };
  const { out } = await run('env; pwd; touch "$HOME/x" y; [ -d "$OWN" ] && [ "$OWN" = "$PWD" ] && echo own', {
    env,
    ownFolder: "/tmp/own",
  });
  delete process.env["TOOLGATE_TEST_SECRET"];
  const names = out.split("\n").flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect(names.sort()).toEqual([
    ...["A", "B", "GIT_CONFIG_COUNT", "HOME", "LANG", "OWN", "PATH", "PWD", "SHLVL", "TERM", "TMPDIR", "_"].sort(),
  ]);
  expect(out).toContain("\nown\n");
  expect(readdirSync(temporary.folder)).toEqual([]);
  expect(existsSync("/tmp/own")).toBe(false);
});

it("reads what it is given", async () => expect((await run("cat", { stdin: "typed" })).out).toBe("typed"));

it("stops with its group when it is told to, and was not started where that was before", async () => {
  const mark = marker();
  const stop = new AbortController();
  const { output, ended } = sandbox.start(scripted(`sleep ${mark} & echo running; wait`), stop.signal);
  for await (const _ of output) stop.abort();
  expect(await ended).toEqual({ kind: "stopped" });
  await untilGone(mark);
  expect(processesWith(mark)).toEqual([]);
  expect((await run("true", {}, AbortSignal.abort())).end).toEqual({ kind: "stopped" });
});

it("ends with the program, also where somebody who left its group holds the pipes", async () => {
  const mark = marker();
  const { end } = await run(`setsid sleep ${mark} & echo done`);
  expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
  for (const pid of processesWith(mark)) process.kill(Number(pid), "SIGKILL");
});

it("what is not there was not started", async () =>
  expect((await run("", { argv: ["/nosuch"] })).end).toMatchObject({
    kind: "refused",
    fault: { code: "SPAWN_FAILED" },
  }));
