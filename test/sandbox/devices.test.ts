import { expect, it } from "vitest";
import type { SandboxCommand } from "../../src/ports/sandbox.ts";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { needs } from "../support/parts.ts";
import { ran } from "./real-sandbox.ts";

const MIB = 2 ** 20;

const command = (script: string): SandboxCommand => ({
  argv: ["/bin/bash", "--noprofile", "--norc", "-c", script],
  mounts: [],
  view: "system",
  limits: { memoryBytes: 512 * MIB, openFiles: 256, tasks: 32, fileBytes: 8 * MIB, privateBytes: MIB },
});

/** Each is given the mode that it has: whoever may do that may give it any. */
const CHANGES = `
  for one in /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty /proc/self/fd/0; do
    chmod "$(stat -Lc %a "$one")" "$one" 2>/dev/null && echo "changed $one"
  done
  true`;

needs("bwrap", "prlimit")("devices", () => {
  it("are the machine's, and no program changes them, not even as root", async () => {
    expect(await ran(command(CHANGES))).toMatchObject({ end: { kind: "exited", exitCode: 0 }, out: "" });
  });

  it("do what they are there for", async () => {
    const uses = `
      echo lost > /dev/null; head -c 3 /dev/zero | wc -c; head -c 4 /dev/urandom | wc -c; wc -c < /dev/random & kill %1
      cat; cat /dev/stdin; echo x 2>/dev/null > /dev/full || echo full; echo here > /dev/stdout`;
    expect((await ran(command(uses))).out).toBe("3\n4\nfull\nhere\n");
  });

  it("leave no more room beside them than a program has elsewhere", async () => {
    const sandbox = openBubblewrap({
      searchPath: ["/usr/bin", "/bin"],
      workspace: "/nowhere",
      cgroups: { pids: null, memory: null },
    });
    const fills = `
      head -c ${3 * MIB} /dev/zero 2>/dev/null > /dev/shm/one || echo full; stat -c %s /dev/shm/one
      : 2>/dev/null > /dev/own && echo made; rm /dev/shm/one && echo shared > /dev/shm/two && cat /dev/shm/two`;
    expect((await ran(command(fills), sandbox)).out).toBe(`full\n${MIB}\nshared\n`);
  });
});
