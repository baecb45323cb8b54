import { Buffer } from "node:buffer";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bytesFromName, nameFromBytes } from "../../../src/domain/byte-names.ts";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed, RUN_ALL, RUN_ONLY } from "../../support/running-gate.ts";
import { codeOf } from "../../support/scratch-gate.ts";

const CLOSED = {
  id: "closed",
  effect: "deny",
  touch: { read: ["./**/.env", "./**/.env.*"], write: ["./**/.npmrc"] },
  because: "secrets",
} as const;

/** In Latin-1. */
const inBytes = (workspace: string, name: string): Buffer => Buffer.from(`${workspace}/${name}`, "latin1");

it.each(["plain", "M\u00fcller", "a\u{1f600}\ufffd"])("a name in UTF-8 is the same text: %s", (name) => {
  expect(nameFromBytes(Buffer.from(name))).toBe(name);
  expect(bytesFromName(name)).toEqual(Buffer.from(name));
});

it("a name that is no UTF-8 comes back as it was, also beside letters of two halves", () => {
  const name = nameFromBytes(Buffer.from([0x4d, 0xfc, 0x6c, 0x80]));
  expect(name.isWellFormed()).toBe(false);
  const path = `/\u{1f480}\ufffd/${name}/\u{1f480}`;
  expect(bytesFromName(path)).toEqual(
    Buffer.concat([Buffer.from("/\u{1f480}\ufffd/"), Buffer.from([0x4d, 0xfc, 0x6c, 0x80]), Buffer.from("/\u{1f480}")]),
  );
});

needs("bwrap", "prlimit")("folders whose names are no UTF-8", () => {
  it.each([
    ["write", RUN_ALL],
    ["read", [{ ...RUN_ONLY[0], grant: { read: ["./**"] } }]],
  ] as const)("are hidden if they could hold something closed, from programs that may %s", async (_, rules) => {
    await using scratch = openRunningGate([...rules, CLOSED] as never);
    mkdirSync(inBytes(scratch.workspace, "M\xfcller"));
    writeFileSync(inBytes(scratch.workspace, "M\xfcller/.env"), "SECRET");
    writeFileSync(inBytes(scratch.workspace, ".env.\xff"), "SECRET");
    scratch.put("M\u00fcller/plain", "other");
    scratch.put("run.sh", "cat M*/.env .env.*; cat M*/plain; mv $'M\\xfcller' away && echo moved");
    const outcome = await scratch.run("bash run.sh");
    expect(printed(outcome)).toContain("other");
    expect(printed(outcome)).not.toMatch(/SECRET|moved/);
    expect(readdirSync(scratch.workspace).sort()).toHaveLength(4);
  });

  it("are in nobody's way where nothing is closed", async () => {
    await using scratch = openRunningGate();
    mkdirSync(inBytes(scratch.workspace, "a\xff"));
    expect(codeOf(await scratch.run("ls"))).toBe("completed");
  });
});
