import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { Content } from "../../src/domain/outcome.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import { finish } from "../../src/pipeline/finish.ts";
import type { Finished } from "../../src/pipeline/finished.ts";
import type { Blobs } from "../../src/ports/blobs.ts";
import { redaction } from "../support/redaction.ts";
import { approvedCall } from "../support/sample-calls.ts";

const MB = 1024 * 1024;
const HASH = `${"0".repeat(63)}1`;
const SECRET = "hush-hush-4711";

async function finished(result: RunResult, put?: Blobs["put"]) {
  const { blobs, ...rest } = redaction({ KEY: SECRET });
  const ports = { ...rest, blobs: put ? { ...blobs, put } : blobs };
  const ended: Finished = await finish(
    approvedCall(),
    { kind: "returned", result },
    { durationMs: 0, attempts: 1, budgetConsumed: 1 },
    ports,
  );
  const { outcome } = ended;
  if (outcome.kind === "unknown") throw new Error("unknown");
  const whole = blobs.kept.get(HASH);
  return { outcome, resultText: ended.resultText?.() ?? null, whole: whole && Buffer.from(whole).toString() };
}

const completed = (...content: Content[]): RunResult => ({ kind: "completed", content });
const text = (value: string): Content => ({ type: "text", text: value });

describe("a result", () => {
  it("of just under a megabyte stays whole", async () => {
    const { outcome } = await finished(completed(text("x".repeat(MB - 64))));
    expect(outcome.truncated).toBeUndefined();
    expect(outcome.content).toEqual([text("x".repeat(MB - 64))]);
  });

  it("above it keeps start and end, and says how to get the whole", async () => {
    const given = `start ${"é".repeat(MB)} end`;
    const { outcome, whole } = await finished(completed(text(given)));
    const [item] = outcome.content as readonly { text: string }[];
    expect(item?.text).toMatch(
      /^start é+\n\[TRUNCATED: 2097162 bytes in all; the whole: toolgate blobs get 0+1\]\né+ end$/,
    );
    expect(Buffer.byteLength(item?.text ?? "")).toBeLessThanOrEqual(MB);
    expect(outcome.truncated).toEqual({ bytes: 2097162, blob: HASH });
    expect(whole).toBe(given);
  });

  it("is redacted before it is cut, hashed and kept: at whatever place the cut is", async () => {
    for (let before = 524_110; before < 524_260; before += 13) {
      const given = "x".repeat(before) + SECRET + "y".repeat(MB);
      const { outcome, whole, resultText } = await finished(completed(text(given)));
      for (const out of [JSON.stringify(outcome), whole, resultText])
        for (let at = 0; at + 6 <= SECRET.length; at++) expect(out).not.toContain(SECRET.slice(at, at + 6));
      expect(whole).toContain("[REDACTED:KEY]");
    }
  });

  it("of several texts loses the longest ones' middle, and the blob is all of it as JSON", async () => {
    const given = [text("short"), text("a".repeat(MB)), text("b".repeat(MB))];
    const { outcome, whole, resultText } = await finished(completed(...given));
    expect(outcome.content[0]).toEqual(text("short"));
    expect(JSON.stringify(outcome.content).length).toBeLessThan(MB + 1000);
    expect(outcome.content.slice(1).every((item) => JSON.stringify(item).includes("the whole result as JSON"))).toBe(
      true,
    );
    expect(JSON.parse(whole ?? "")).toEqual({ content: given });
    expect(whole).toBe(resultText);
  });

  it("of a picture becomes a note: a part of a picture is no picture", async () => {
    const data = Buffer.alloc(MB, 7).toString("base64");
    const { outcome, whole } = await finished(completed({ type: "image", mediaType: "image/png", data }));
    expect(outcome.content).toEqual([
      text(`[TRUNCATED: ${data.length} bytes in all; the whole: toolgate blobs get ${HASH}]`),
    ]);
    expect(whole).toBe(Buffer.alloc(MB, 7).toString());
  });

  it("of a diff stays a diff", async () => {
    const diff: Content = { type: "diff", path: "a", diff: "d".repeat(MB), oldText: "o".repeat(MB), newText: "n" };
    const [item] = (await finished(completed(diff))).outcome.content;
    expect(item).toMatchObject({ type: "diff", path: "a", newText: "n" });
    expect(JSON.stringify(item).length).toBeLessThan(MB + 1000);
  });

  it("of a long structured part loses that, and says so", async () => {
    const structured = { list: Array.from({ length: MB / 4 }, (_, index) => index) };
    const { outcome, whole } = await finished({ kind: "completed", content: [text("t")], structured });
    expect(outcome).not.toHaveProperty("structured");
    expect(outcome.content[1]).toMatchObject({ text: expect.stringContaining("the structured result left out") });
    expect(JSON.parse(whole ?? "")).toEqual({ content: [text("t")], structured });
  });

  it("of very many items loses those in the middle", async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => text(`${index}`));
    const { outcome } = await finished(completed(...items));
    expect(outcome.content.length).toBe(1001);
    expect(outcome.content.at(499)).toEqual(text("499"));
    expect(outcome.content.at(-2)).toEqual(text("19999"));
    expect(outcome.content.at(-1)).toMatchObject({ text: expect.stringContaining("19000 items left out") });
  });

  it("of an item that is none of ours becomes a note", async () => {
    const odd = { type: "odd", list: Array.from({ length: 300_000 }, (_, index) => index) } as never as Content;
    const { outcome, whole } = await finished(completed(odd, text("t")));
    expect(outcome.content[0]).toMatchObject({ type: "text", text: expect.stringContaining("[TRUNCATED: ") });
    expect(outcome.content[1]).toEqual(text("t"));
    expect(JSON.parse(whole ?? "")).toEqual(odd);
  });

  it("of a text that is none does no harm", async () => {
    const { outcome } = await finished(
      completed({ type: "text", text: { a: "x".repeat(2 * MB) } } as never, null as never),
    );
    expect(outcome).toMatchObject({ kind: "completed", truncated: { blob: HASH } });
  });

  it("that can't be kept is cut all the same, and says so", async () => {
    const { outcome } = await finished(completed(text("x".repeat(2 * MB))), async () => ({
      ok: false,
      fault: { code: "STORAGE_FULL", message: "full" },
    }));
    expect(outcome.truncated).toEqual({ bytes: 2 * MB, blob: null });
    expect(JSON.stringify(outcome.content)).toContain("the whole could not be kept");
  });

  it("of a failure is cut as well, and its message", async () => {
    const error = { code: "TOOL_FAILED", message: `${SECRET}${"m".repeat(MB)}`, retryable: false } as const;
    const { outcome } = await finished({ kind: "failed", error, content: [text("x".repeat(2 * MB))] });
    expect(outcome).toMatchObject({ kind: "failed", truncated: { bytes: 2 * MB, blob: HASH } });
    expect(JSON.stringify(outcome).length).toBeLessThan(MB + 70_000);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
  });
});

describe("a result without secrets", () => {
  it.each<[string, RunResult]>([
    ["in texts", completed(text(`a ${SECRET}`))],
    ["in a diff", completed({ type: "diff", path: SECRET, diff: SECRET, oldText: SECRET, newText: SECRET })],
    ["in a resource", completed({ type: "resource", uri: SECRET, mediaType: SECRET, text: SECRET })],
    ["in bytes", completed({ type: "resource", uri: "u", blob: Buffer.from(`\0${SECRET}`).toString("base64") })],
    [
      "in a picture",
      completed({ type: "image", mediaType: "image/png", data: Buffer.from(SECRET).toString("base64") }),
    ],
    ["in what a tool adds to an item", completed({ type: "text", text: "t", _meta: { a: [SECRET] } } as never)],
    ["in an item of no known type", completed({ type: "odd", of: [SECRET] } as never)],
    ["in a text that is none", completed({ type: "text", text: { toJSON: () => SECRET } } as never)],
    ["in members and their names", { kind: "completed", content: [], structured: { a: [{ [SECRET]: SECRET }] } }],
    [
      "in what becomes a text",
      { kind: "completed", content: [], structured: { d: { toJSON: () => SECRET } as never } },
    ],
    ["in a boxed text", { kind: "completed", content: [], structured: { d: Object(SECRET) as never } }],
    [
      "in an error",
      {
        kind: "failed",
        error: { code: "TOOL_FAILED", message: SECRET, retryable: false, detail: [SECRET] },
        content: [],
      },
    ],
  ])("%s", async (_, result) => {
    const { outcome, resultText } = await finished(result);
    const out = JSON.stringify([outcome, resultText]);
    expect(out).not.toContain(SECRET);
    expect(out).not.toContain(Buffer.from(SECRET).toString("base64").slice(2, -4));
    expect(out).toMatch(/\[REDACTED:KEY\]|W1JFREFDVEVE|JFREFDVEVEO|SRURBQ1RFRD/);
  });

  it("keeps numbers, names and order", async () => {
    const structured = { z: 1, a: [true, null, 1.5, "s"], token_count: 12 };
    const { outcome } = await finished({ kind: "completed", content: [], structured });
    expect(outcome).toMatchObject({ structured });
    expect(Object.keys((outcome as { structured: object }).structured)).toEqual(["z", "a", "token_count"]);
  });

  it("A53: what a tool adds of its own does not leave", async () => {
    const { outcome } = await finished({ ...completed(text("t")), receipt: { seq: 1 }, extra: SECRET } as never);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(outcome).not.toHaveProperty("receipt");
  });

  it("F23: keeps lone surrogates, NUL and what stands around a secret", async () => {
    const given = `\ud800 ${SECRET} \0 \udfff é`;
    const { outcome } = await finished(completed(text(given)));
    expect(outcome.content).toEqual([text("\ud800 [REDACTED:KEY] \0 \udfff é")]);
  });
});
