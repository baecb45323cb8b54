import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HASH_PLACES, sha256x4Code } from "../../src/ledger/sha256-x4-code.ts";

const BLOCK = 64;
const LANES = 4;
const TO = 32 * 1024;

interface Wasm {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly hashFour: (from: number, blocks: number, to: number) => void;
    };
  };
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
const { memory, hashFour } = new Instance(new Module(sha256x4Code())).exports;
const bytes = Buffer.from(memory.buffer);

/** FIPS 180-4 section 5.1.1. */
function padded(message: Uint8Array, blocks: number): Buffer {
  const room = Buffer.alloc(blocks * BLOCK);
  room.set(message);
  room[message.length] = 0x80;
  room.writeUInt32BE(message.length * 8, room.length - 4);
  return room;
}

function hashed(messages: readonly Uint8Array[], blocks: number, from: number): readonly string[] {
  bytes.fill(0xa5);
  for (const [i, message] of messages.entries()) bytes.set(padded(message, blocks), from + i * blocks * BLOCK);
  hashFour(from, blocks, TO + 1);
  return HASH_PLACES.map((place) => bytes.toString("hex", TO + 1 + place, TO + 1 + place + 32));
}

const fourOf = (blocks: number) => {
  const maxLength = blocks * BLOCK - 9;
  const message = fc.uint8Array({ minLength: Math.max(0, maxLength - BLOCK + 1), maxLength, size: "max" });
  return fc.array(message, { minLength: LANES, maxLength: LANES });
};

describe.each([1, 2, 3, 9])("SHA-256 of four messages of %d blocks at once", (blocks) => {
  it("is what Node says that it is", () => {
    void fc.assert(
      fc.property(fourOf(blocks), fc.integer({ min: 0, max: 200 }), (messages, from) => {
        expect(hashed(messages, blocks, from)).toEqual(messages.map((message) => hash("sha256", message)));
      }),
      { numRuns: 500 },
    );
  });
});

it("writes nothing but the four hashes", () => {
  hashed(
    Array.from({ length: LANES }, () => new Uint8Array(33)),
    1,
    0,
  );
  for (const place of HASH_PLACES) bytes.fill(0xa5, TO + 1 + place, TO + 1 + place + 32);
  expect(bytes.subarray(LANES * BLOCK).every((byte) => byte === 0xa5)).toBe(true);
});
