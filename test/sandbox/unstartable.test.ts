import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox, SandboxCommand } from "../../src/ports/sandbox.ts";
import { openScratch, unwrap } from "../files/scratch.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { realSandbox } from "./real-sandbox.ts";

/** Has the beginning of a program, and nothing behind it. */
const BROKEN_ELF = Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01", "latin1"), Buffer.alloc(200)]);

const KINDS: readonly (readonly [name: string, content: string | Uint8Array | null, mode: number, message: string])[] =
  [
    ["a broken program", BROKEN_ELF, 0o755, "not a file that this machine can start"],
    [
      "a text without an interpreter, which some would hand to a shell",
      "echo ran\n",
      0o755,
      "not a file that this machine",
    ],
    ["an empty file", "", 0o755, "not a file that this machine can start"],
    ["a script whose interpreter is missing", "#!/nosuch/sh\necho ran\n", 0o755, "the interpreter that it names"],
    ["a file that may not be started", "#!/bin/sh\necho ran\n", 0o644, "may not be started"],
    ["a file that is not there", null, 0, "is not there in the sandbox"],
  ];

async function chunksAndEnd(command: SandboxCommand, sandbox: Sandbox) {
  const program = sandbox.start(command, NEVER);
  return { chunks: await Array.fromAsync(program.chunks), end: await program.ended };
}

needs("bwrap", "prlimit")("a program that can't be started", () => {
  it.each(KINDS)("is refused, and says nothing: %s", async (_, content, mode, message) => {
    using scratch = openScratch();
    const path = join(scratch.workspace, "program");
    if (content !== null) {
      writeFileSync(path, content);
      chmodSync(path, mode);
    }
    using held = unwrap(await scratch.files.hold(await scratch.checked("."), "directory"));
    const limits = { memoryBytes: 2 ** 29, openFiles: 256, tasks: 16, fileBytes: 2 ** 20 };
    const command: SandboxCommand = { argv: [path], mounts: [{ kind: "held", held }], view: "system", limits };
    const found = await chunksAndEnd(command, realSandbox(scratch.workspace));
    expect(found).toMatchObject({ chunks: [], end: { kind: "refused", fault: { code: "SPAWN_FAILED" } } });
    expect(JSON.stringify(found.end)).toContain(message);
  });
});
