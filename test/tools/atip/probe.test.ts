import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { probe } from "../../../src/tools/atip/probe.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { needs } from "../../support/parts.ts";

/** A busy machine may take longer than two seconds for anything. */
const PATIENT: Clock = { ...systemClock, after: () => () => {} };

/** The real sandbox, in which this script is an installed program. */
async function probed(script: string, clock: Clock = PATIENT) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-probe-")));
  try {
    const path = join(folder, "program");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    const real = realSandbox();
    const sandbox: Sandbox = {
      ...real,
      start: (command, signal) =>
        real.start(
          { ...command, mounts: [...command.mounts, { kind: "installed", path, at: "/opt/program" }] },
          signal,
        ),
    };
    return await probe("/opt/program", { sandbox, clock });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HELP = 'case "$1" in --help) echo "  --agent  tell what this is"; exit 0;; esac';

needs("bwrap")("asking a program what it is", () => {
  it("takes its answer", async () => {
    expect(await probed(`${HELP}\necho '{"atip": "0.6"}'`)).toEqual({ kind: "described", text: '{"atip": "0.6"}\n' });
  });

  it("reads its help from wherever it prints it", async () => {
    expect(await probed(`case "$1" in --help) echo "--agent" >&2; exit 2;; esac\necho '{}'`)).toEqual({
      kind: "described",
      text: "{}\n",
    });
  });

  it.each<[string, string, string]>([
    ["a program that does not know the option", "echo '{}'", "unsupported"],
    ["one with an option that only looks like it", `echo "--agents"; echo '{}'`, "unsupported"],
    ["one that fails", `${HELP}\necho '{}'; exit 3`, "unsupported"],
    ["one that says nothing", HELP, "unsupported"],
    ["one that says something else", `${HELP}\necho hello`, "unsupported"],
  ])("%s", async (_, script, kind) => expect(await probed(script)).toMatchObject({ kind }));

  it("waits two seconds at the most", async () => {
    const waited: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after: (delayMs, task) => {
        waited.push(delayMs);
        if (waited.length === 2) setImmediate(task);
        return () => {};
      },
    };
    expect(await probed(`${HELP}\nexec sleep 60`, clock)).toMatchObject({ kind: "broken" });
    expect(waited).toEqual([2000, 2000]);
  });

  it("lets it do nothing else", async () => {
    const tries = "echo x > /usr/evil 2>/dev/null && bad=1; ls /home /root /work >/dev/null 2>&1 && bad=1";
    expect(await probed(`${HELP}\n${tries}\necho "{\\"bad\\": \\"$bad\\"}"`)).toEqual({
      kind: "described",
      text: '{"bad": ""}\n',
    });
  });
});

it("is refused where nothing can be held in", async () => {
  const fault = { code: "SANDBOX_UNAVAILABLE", message: "no" } as const;
  const sandbox: Sandbox = { ...realSandbox(), missing: () => fault };
  expect(await probe("/bin/true", { sandbox, clock: systemClock })).toEqual({ kind: "refused", fault });
});
