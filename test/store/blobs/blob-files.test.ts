import { Buffer } from "node:buffer";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlobResult, OpenBlob, StoredBlob } from "../../../src/ports/blobs.ts";
import { BlobFiles } from "../../../src/store/blobs/blob-files.ts";
import { withSharedData } from "../../support/parts.ts";

const EMPTY = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

function openScratch() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-blobs-"));
  const stateDir = join(folder, "state");
  return {
    folder,
    stateDir,
    blobs: new BlobFiles(stateDir),
    fileOf: (hash: string, project = "default") => join(stateDir, "blobs", project, hash.slice(0, 2), hash),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function value<T>(result: BlobResult<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.fault));
  return result.value;
}

const codeOf = (result: BlobResult<unknown>): string => (result.ok ? "ok" : result.fault.code);

async function bytesOf({ chunks }: OpenBlob): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks()));
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

withSharedData("apm2")("BLAKE3", (folder) => {
  it("is what the golden vectors say", async () => {
    using scratch = openScratch();
    const { vectors } = JSON.parse(readFileSync(join(folder, "golden_vectors.json"), "utf8"));
    expect(vectors.length).toBe(30);
    for (const { blake3, bytes_hex } of vectors as { blake3: string; bytes_hex: string }[]) {
      const stored = value(await scratch.blobs.put("default", Buffer.from(bytes_hex, "hex")));
      expect(stored).toEqual({ hash: blake3, bytes: bytes_hex.length / 2 });
    }
  });
});

describe("blobs", () => {
  it("come back as they were, from bytes and from a stream", async () => {
    using scratch = openScratch();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.integer({ min: 1, max: 700 }), async (bytes, size) => {
        const whole = value(await scratch.blobs.put("default", bytes));
        expect(await scratch.blobs.put("default", inChunks(bytes, size))).toEqual({ ok: true, value: whole });
        const open = value(await scratch.blobs.get("default", whole.hash));
        expect(open).toMatchObject({ hash: whole.hash, bytes: bytes.length });
        expect((await bytesOf(open)).equals(bytes)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it("may be empty", async () => {
    using scratch = openScratch();
    expect(value(await scratch.blobs.put("default", Buffer.alloc(0)))).toEqual({ hash: EMPTY, bytes: 0 });
    expect((await bytesOf(value(await scratch.blobs.get("default", EMPTY)))).length).toBe(0);
  });

  it("of several puts at once don't mix", async () => {
    using scratch = openScratch();
    const all = Array.from({ length: 8 }, (_, index) => Buffer.alloc(3_000_000, index));
    const stored = await Promise.all(all.map((bytes) => scratch.blobs.put("default", inChunks(bytes, 65_536))));
    const alone: StoredBlob[] = [];
    for (const bytes of all) alone.push(value(await scratch.blobs.put("default", bytes)));
    expect(stored.map(value)).toEqual(alone);
  });

  it("are the user's alone, and leave no draft", async () => {
    using scratch = openScratch();
    const { hash } = value(await scratch.blobs.put("default", Buffer.from("x")));
    expect(statSync(scratch.fileOf(hash)).mode & 0o777).toBe(0o600);
    for (const folder of ["blobs", "blobs/default", `blobs/default/${hash.slice(0, 2)}`])
      expect(statSync(join(scratch.stateDir, folder)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(scratch.stateDir, "blobs/default"))).toEqual([hash.slice(0, 2)]);
  });

  it("belong to their project", async () => {
    using scratch = openScratch();
    const { hash } = value(await scratch.blobs.put("one", Buffer.from("x")));
    expect(codeOf(await scratch.blobs.get("two", hash))).toBe("BLOB_NOT_FOUND");
    const odd = ["../one", "one/", "ONE", "", ".", "a".repeat(65), "one\0"];
    for (const project of odd) {
      expect(codeOf(await scratch.blobs.get(project, hash)), project).toBe("BLOB_NOT_FOUND");
      value(await scratch.blobs.put(project, Buffer.from(project)));
    }
    expect(readdirSync(scratch.folder)).toEqual(["state"]);
    expect(readdirSync(scratch.stateDir)).toEqual(["blobs"]);
    expect(readdirSync(join(scratch.stateDir, "blobs")).length).toBe(odd.length + 1);
  });

  it.each(["", "00", EMPTY.toUpperCase(), `${EMPTY}0`, `../${EMPTY}`, `${EMPTY}\n`, "../../../etc/passwd"])(
    "have hashes, and %j is none",
    async (hash) => {
      using scratch = openScratch();
      expect(codeOf(await scratch.blobs.get("default", hash))).toBe("HASH_INVALID");
    },
  );

  it("have to be what is expected", async () => {
    using scratch = openScratch();
    const { hash } = value(await scratch.blobs.put("default", Buffer.from("a")));
    expect(codeOf(await scratch.blobs.put("default", Buffer.from("a"), hash))).toBe("ok");
    expect(codeOf(await scratch.blobs.put("default", Buffer.from("b"), hash))).toBe("BLOB_DAMAGED");
    expect(readdirSync(join(scratch.stateDir, "blobs/default"))).toEqual([hash.slice(0, 2)]);
  });

  it("have at most 100 MB, from bytes and from a stream", async () => {
    using scratch = openScratch();
    const most = new Uint8Array(100 * 1024 * 1024);
    expect(codeOf(await scratch.blobs.put("default", most))).toBe("ok");
    expect(codeOf(await scratch.blobs.put("default", new Uint8Array(most.length + 1)))).toBe("BLOB_TOO_LARGE");
    async function* endless() {
      for (;;) yield new Uint8Array(1024 * 1024);
    }
    expect(codeOf(await scratch.blobs.put("default", endless()))).toBe("BLOB_TOO_LARGE");
    expect(readdirSync(join(scratch.stateDir, "blobs/default")).length).toBe(1);
  });
});

describe("F31: a damaged blob is never served", () => {
  it("whichever byte flips, and however it is cut", async () => {
    using scratch = openScratch();
    const { hash } = value(await scratch.blobs.put("default", Buffer.from("some content of a blob")));
    const file = scratch.fileOf(hash);
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] as number) ^ (1 << (at % 8));
      writeFileSync(file, bad);
      expect(codeOf(await scratch.blobs.get("default", hash))).toBe("BLOB_DAMAGED");
    }
    for (let length = 0; length < good.length; length++) {
      writeFileSync(file, good);
      truncateSync(file, length);
      expect(codeOf(await scratch.blobs.get("default", hash))).toBe("BLOB_DAMAGED");
    }
    writeFileSync(file, Buffer.concat([good, good]));
    expect(codeOf(await scratch.blobs.get("default", hash))).toBe("BLOB_DAMAGED");
  });

  it("and storing it again repairs it", async () => {
    using scratch = openScratch();
    const { hash } = value(await scratch.blobs.put("default", Buffer.from("good")));
    writeFileSync(scratch.fileOf(hash), "bad!");
    value(await scratch.blobs.put("default", Buffer.from("good")));
    expect((await bytesOf(value(await scratch.blobs.get("default", hash)))).toString()).toBe("good");
  });

  it("nor one that goes bad while it is read", async () => {
    using scratch = openScratch();
    const { hash } = value(await scratch.blobs.put("default", Buffer.from("good")));
    const open = value(await scratch.blobs.get("default", hash));
    writeFileSync(scratch.fileOf(hash), "bad!");
    await expect(bytesOf(open)).rejects.toMatchObject({ code: "BLOB_DAMAGED" });
  });
});

describe("a state directory that came with a repository", () => {
  it("has links followed neither for writing nor for reading", async () => {
    using scratch = openScratch();
    const elsewhere = join(scratch.folder, "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(join(scratch.stateDir, "blobs"), { recursive: true });
    symlinkSync(elsewhere, join(scratch.stateDir, "blobs", "default"));
    expect(codeOf(await scratch.blobs.put("default", Buffer.from("x")))).toBe("IO_ERROR");
    expect(codeOf(await scratch.blobs.get("default", EMPTY))).toBe("BLOB_NOT_FOUND");
    expect(readdirSync(elsewhere)).toEqual([]);

    const { hash } = value(await scratch.blobs.put("other", Buffer.from("x")));
    const file = scratch.fileOf(hash, "other");
    unlinkSync(file);
    writeFileSync(join(elsewhere, "x"), "x");
    symlinkSync(join(elsewhere, "x"), file);
    expect(codeOf(await scratch.blobs.get("other", hash))).toBe("BLOB_DAMAGED");
    value(await scratch.blobs.put("other", Buffer.from("x")));
    expect(lstatSync(file).isFile()).toBe(true);
  });

  it("may hold a folder or a pipe instead of a blob", async () => {
    using scratch = openScratch();
    mkdirSync(scratch.fileOf(EMPTY), { recursive: true });
    expect(codeOf(await scratch.blobs.get("default", EMPTY))).toBe("BLOB_DAMAGED");
    expect(codeOf(await scratch.blobs.put("default", Buffer.alloc(0)))).toBe("IO_ERROR");
  });

  it.skipIf(process.getuid?.() === 0)("may be closed", async () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir, { mode: 0o500 });
    const stored = await scratch.blobs.put("default", Buffer.from("x"));
    expect(stored).toMatchObject({ ok: false, fault: { code: "IO_ERROR", message: expect.not.stringContaining("/") } });
    chmodSync(scratch.stateDir, 0o700);
  });
});

it("what a stream throws is a fault, and leaves nothing", async () => {
  using scratch = openScratch();
  async function* breaks() {
    yield Buffer.from("x");
    throw Object.assign(new Error("/secret/path"), { code: "ENOSPC" });
  }
  expect(await scratch.blobs.put("default", breaks())).toMatchObject({ ok: false, fault: { code: "STORAGE_FULL" } });
  expect(readdirSync(join(scratch.stateDir, "blobs/default"))).toEqual([]);
});
