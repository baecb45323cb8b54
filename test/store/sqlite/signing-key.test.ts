import { createPublicKey } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyFingerprint } from "../../../src/ledger/checkpoint.ts";
import {
  findSigningKey,
  makeSigningKey,
  readPublicKey,
  readSigningKey,
} from "../../../src/store/sqlite/signing-key.ts";
import { startProgram } from "../../support/started-program.ts";
import { openScratch, type Scratch } from "../state-dir.ts";

function openStateDir(): Scratch {
  const scratch = openScratch();
  mkdirSync(scratch.stateDir);
  return scratch;
}

const fingerprints = (stateDir: string) => {
  const publicKey = readPublicKey(stateDir);
  return [keyFingerprint(createPublicKey(readSigningKey(stateDir))), publicKey && keyFingerprint(publicKey)];
};

describe("the signing key", () => {
  it("is made once, both halves of the same pair, and nothing is left over", () => {
    using scratch = openStateDir();
    expect([findSigningKey(scratch.stateDir).kind, readPublicKey(scratch.stateDir)]).toEqual(["missing", null]);
    makeSigningKey(scratch.stateDir, "a");
    const [own, shown] = fingerprints(scratch.stateDir);
    expect(own).toBe(shown);
    makeSigningKey(scratch.stateDir, "b");
    expect(fingerprints(scratch.stateDir)).toEqual([own, own]);
    expect(readdirSync(scratch.stateDir).toSorted()).toEqual(["ledger.key", "ledger.pub"]);
  });

  it("is one for all processes that make it at the same time", async () => {
    for (let round = 0; round < 3; round++) {
      using scratch = openStateDir();
      const programs = Array.from({ length: 4 }, (_, n) =>
        startProgram("makes-signing-key.ts", [scratch.stateDir, `n${n}`]),
      );
      for (const program of programs) expect(await program.line()).toBe("ready");
      for (const program of programs) program.tell("go");
      expect(await Promise.all(programs.map((program) => program.ended()))).toEqual(programs.map(() => ["made"]));
      const [own, shown] = fingerprints(scratch.stateDir);
      expect(own).toBe(shown);
      expect(readdirSync(scratch.stateDir).toSorted()).toEqual(["ledger.key", "ledger.pub"]);
    }
  });

  it("gets its public half from a later process where a crash came between the two", () => {
    using scratch = openStateDir();
    makeSigningKey(scratch.stateDir, "a");
    const before = readFileSync(join(scratch.stateDir, "ledger.pub"), "utf8");
    rmSync(join(scratch.stateDir, "ledger.pub"));
    makeSigningKey(scratch.stateDir, "b");
    expect(readFileSync(join(scratch.stateDir, "ledger.pub"), "utf8")).toBe(before);
  });

  it("has a public half that follows from it, also where nobody may write", () => {
    using scratch = openStateDir();
    makeSigningKey(scratch.stateDir, "a");
    const [own] = fingerprints(scratch.stateDir);
    rmSync(join(scratch.stateDir, "ledger.pub"));
    expect(fingerprints(scratch.stateDir)).toEqual([own, own]);
  });

  it("is replaced where it is empty, and kept where it holds something else", () => {
    using scratch = openStateDir();
    writeFileSync(join(scratch.stateDir, "ledger.key"), "");
    expect(findSigningKey(scratch.stateDir).kind).toBe("empty");
    makeSigningKey(scratch.stateDir, "a");
    expect(findSigningKey(scratch.stateDir).kind).toBe("key");
    writeFileSync(join(scratch.stateDir, "ledger.key"), "no key");
    expect(findSigningKey(scratch.stateDir).kind).toBe("damaged");
  });

  it("is not read from what is no key", () => {
    using scratch = openStateDir();
    writeFileSync(join(scratch.stateDir, "ledger.pub"), "no key");
    expect(readPublicKey(scratch.stateDir)).toBeNull();
  });
});
