import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { OutputChunk, SandboxEnd, SandboxedProgram } from "../../../src/ports/sandbox.ts";
import { otherGreeting } from "../../../src/tools/mcp/greeter.ts";
import type { Greeting } from "../../../src/tools/mcp/upstream-client.ts";
import { UpstreamConnection } from "../../../src/tools/mcp/upstream-connection.ts";

interface Asked {
  readonly id?: unknown;
  readonly method: string;
}

const INFO = { serverInfo: { name: "it", version: "1" }, capabilities: {} };
const OLD = { ...INFO, protocolVersion: "2025-11-25" };
const NEW = {
  ...{ ...INFO, supportedVersions: ["2026-07-28"], resultType: "complete", ttlMs: 0, cacheScope: "private" },
};

/** A program that answers what `hear` says, in that order. */
function program(hear: (asked: Asked) => readonly object[]): SandboxedProgram {
  const out = new PassThrough({ objectMode: true });
  const { promise: ended, resolve } = Promise.withResolvers<SandboxEnd>();
  const write = async (lines: unknown) => {
    for (const answer of hear(JSON.parse(String(lines)) as Asked)) {
      const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...answer })}\n`);
      out.write({ from: "stdout", bytes } satisfies OutputChunk);
    }
  };
  const stop = () => {
    out.end();
    resolve({ kind: "stopped" } as unknown as SandboxEnd);
  };
  const output = [] as unknown as AsyncIterable<Uint8Array>;
  return { input: { write, end: () => {} }, output, chunks: out, ended, stop };
}

/** Of before 2026-07-28, and silent to what it does not know. */
const silent = () => program(({ id, method }) => (method === "initialize" ? [{ id, result: OLD }] : []));

/** Of both eras. It answers nothing before something else comes: as slow as that. */
function slow(): SandboxedProgram {
  const held: Asked[] = [];
  return program((asked) => {
    held.push(asked);
    if (asked.method !== "initialize") return [];
    return held.map(({ id, method }) => ({ id, result: method === "initialize" ? OLD : NEW }));
  });
}

const opened = (over: SandboxedProgram, greeting: Greeting) =>
  UpstreamConnection.open(
    over,
    { onListChanged: () => {}, onClosed: () => {} },
    greeting,
    new AbortController().signal,
  );

describe("a program that is asked for its era", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("and says nothing is greeted by the handshake, long before a start takes too long", async () => {
    const opening = opened(silent(), "asked");
    await vi.advanceTimersByTimeAsync(LIMITS.upstreamStartMs.default / 10);
    const connection = await opening;
    expect(connection).toMatchObject({ isOld: true });
    await (connection as UpstreamConnection).close();
  });

  it("and answers after the time for it is not taken for an old one", async () => {
    const opening = opened(slow(), "asked");
    await vi.advanceTimersByTimeAsync(LIMITS.upstreamStartMs.default / 10);
    expect(await opening).toMatchObject({ code: "SPAWN_FAILED", isLate: true });
  });
});

it.each<[object, Greeting, Greeting | null]>([
  [{ hasEnded: true }, "asked", "handshake"],
  [{ hasEnded: true }, "asked at length", "handshake"],
  [{ hasEnded: true }, "handshake", null],
  [{ isLate: true }, "asked", "asked at length"],
  [{ isLate: true }, "asked at length", null],
  [{}, "asked", null],
])("%j after it was %s: it is greeted once more as %s", (fault, greeting, other) => {
  expect(otherGreeting(fault, greeting)).toBe(other);
});
