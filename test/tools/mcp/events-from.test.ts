import { describe, expect, it } from "vitest";
import { eventsFrom } from "../../../src/tools/mcp/events-from.ts";

describe("a stream of events", () => {
  const text = async (chunks: readonly string[], id: number | null, max = 100) => {
    const bytes = (async function* () {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    })();
    const { body, ended } = eventsFrom(bytes, id, max);
    const all = await new Response(body).text();
    await ended;
    return all;
  };

  it.each([
    ["without an answer", ["data: a\n\n"], 7, true],
    ["with ids, which may be taken up again", ["id", ": 1\r\ndata: a\r\n\r\n"], 7, false],
    ["that speaks of ids", ["data: id: 1\n\n"], 7, true],
    ["of nobody's request", ["data: a\n\n"], null, false],
    ["with an event that is too long", ["id: 1\n\n", "x".repeat(101)], 7, true],
    ["with many events, none of them too long", ["x".repeat(60), "\n\n", "x".repeat(60), "\n\n"], null, false],
  ] as const)("%s", async (_, chunks, id, isAnswered) => {
    const all = await text(chunks, id);
    expect(all.includes('"id":7,"error"')).toBe(isAnswered);
    if (!isAnswered) expect(all).toBe(chunks.join(""));
  });
});
