import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventBlocks } from "../../src/client/event-blocks.ts";

/** What is read of a stream that comes in these pieces. */
async function readOf(pieces: readonly Uint8Array[]) {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const read = [];
  for await (const event of eventBlocks(stream)) read.push(event);
  return read;
}

const piecesOf = (text: string, bytes: number): readonly Uint8Array[] => {
  const all = Buffer.from(text);
  return Array.from({ length: Math.ceil(all.length / bytes) }, (_, at) => all.subarray(at * bytes, (at + 1) * bytes));
};

const STREAM =
  ': here\n\nretry: 5\nid: 1\nevent: a\ndata: {"a":\ndata: "é 👍"}\n\n\n\nid: 2\ndata: {}\n\ndata: {"half":1}';

describe("events out of a stream", () => {
  it.each([
    ["\\n", STREAM],
    ["\\r\\n", STREAM.replaceAll("\n", "\r\n")],
  ])("are the same wherever it is cut, with lines that end in %s", async (_, text) => {
    const events = [
      { retryMs: 5 },
      { id: "1", event: "a", data: { a: "é 👍" } },
      { id: "2", event: "message", data: {} },
    ];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (bytes) => {
        expect(await readOf(piecesOf(text, bytes))).toEqual(events);
      }),
    );
  });

  it("take no longer for each piece of a long one than for the first", async () => {
    const text = "x".repeat(24 * 1024 * 1024);
    const read = await readOf(piecesOf(`data: {"text":"${text}"}\n\n`, 1024));
    expect(read.map((event) => ("data" in event ? String(event.data["text"]).length : 0))).toEqual([text.length]);
  });
});
