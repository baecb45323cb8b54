import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { call, ENVELOPE, openLines } from "../../support/mcp-lines.ts";
import type { ScratchGate } from "../../support/scratch-gate.ts";
import { MODERN, openReadingGate, readCall, states, waitingTool } from "./set-up.ts";

const READ = { path: "a.txt" };

/** A client of 2025 that has shaken hands. */
async function openLegacy(scratch: ScratchGate, capabilities: JsonObject) {
  const lines = openLines(scratch);
  const clientInfo = { name: "a", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  await lines.ask({ jsonrpc: "2.0", id: 100, method: "initialize", params });
  lines.say({ jsonrpc: "2.0", method: "notifications/initialized" });
  return lines;
}

const piecesOf = (text: string): string[] => text.match(/.{1,60000}/gs) ?? [];

it("shakes hands with a client that does not say who it is, as the Zed seed's", async () => {
  await using scratch = openReadingGate();
  await using lines = openLines(scratch);
  const params = { protocolVersion: "2024-11-05", capabilities: {} };
  const hello = await lines.ask({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  expect(hello).toMatchObject({ id: 1, result: { protocolVersion: "2024-11-05", serverInfo: { name: "toolgate" } } });
  const list = await lines.ask({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
  expect(JSON.stringify(list)).toContain("read_file");
});

it("answers each message of a batch, as revisions until 2025-03-26 have them, and says which is none", async () => {
  await using scratch = openReadingGate();
  await using lines = await openLegacy(scratch, {});
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  lines.say([ping(1), call(2, "read_file", READ), { jsonrpc: "2.0", method: "notifications/initialized" }, ping(3)]);
  const answers = [await lines.next(), await lines.next(), await lines.next()];
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
  expect(answers.find(({ id }) => id === 2)).toMatchObject({ result: { content: [{ type: "text" }] } });
  for (const none of [[], Array.from({ length: 101 }, (_, id) => ping(id))])
    expect(await lines.ask(none)).toMatchObject({ id: null, error: { code: -32_600 } });
  expect(await lines.ask(ping(4))).toMatchObject({ id: 4 });
});

describe("two requests under one id", () => {
  const TAKEN = { id: 2, error: { code: -32_600, message: expect.stringContaining("on its way") } };

  it("of one batch are one: the second is refused", async () => {
    await using scratch = openReadingGate();
    await using lines = await openLegacy(scratch, {});
    lines.say([call(2, "read_file", READ), call(2, "read_file", { path: "secret/a.txt" })]);
    const answers = [await lines.next(), await lines.next()];
    expect(answers).toContainEqual(expect.objectContaining(TAKEN));
    expect(states(scratch)).toEqual(["completed"]);
  });

  it("are one while somebody is asked about the first, and no longer once that has ended", async () => {
    await using scratch = openReadingGate();
    await using lines = await openLegacy(scratch, {});
    lines.say(call(2, "read_file", { path: "asked/a.txt" }));
    await expect.poll(() => states(scratch)).toEqual(["awaiting_approval"]);
    expect(await lines.ask(call(2, "read_file", READ))).toMatchObject(TAKEN);
    lines.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    await expect.poll(() => states(scratch)).toEqual(["cancelled"]);
    expect(await lines.ask(call(2, "read_file", READ))).toMatchObject({ id: 2, result: { content: [{}] } });
    expect(await lines.ask(call(2, "read_file", READ))).toMatchObject({ id: 2, result: { content: [{}] } });
  });
});

describe("JSON that two readers understand differently", () => {
  const line = JSON.stringify(call(2, "read_file", READ));
  const doubled = line.replace('"path"', '"path":"secret/a.txt","path"');

  it.each([
    ["a name that stands twice", doubled, 2],
    ["also with another way to write the method", doubled.replace("tools/call", "tools\\/call"), 2],
    ["also in a long line", doubled.replace("a.txt", "a".repeat(200_000)), 2],
    ["also in a batch", `[${doubled}]`, null],
    ["a number that loses digits", line.replace('"a.txt"', "12345678901234567890123"), 2],
    ["half a surrogate pair", line.replace("a.txt", "\\ud800"), 2],
    ["in an answer, whose id is not theirs", '{"jsonrpc":"2.0","id":2,"result":{"a":1,"a":2}}', null],
  ])("is refused: %s", async (_, text, id) => {
    await using scratch = openReadingGate();
    await using lines = await openLegacy(scratch, {});
    lines.stdin.write(`${text}\n`);
    expect(await lines.next()).toMatchObject({ id, error: { code: -32_700 } });
    expect(await lines.ask(call(3, "read_file", READ))).toMatchObject({ id: 3, result: { content: [{}] } });
    expect(states(scratch)).toEqual(["completed"]);
  });

  it("and what is no message in a batch is told so, each", async () => {
    await using scratch = openReadingGate();
    await using lines = await openLegacy(scratch, {});
    lines.say([1, null, call(2, "read_file", READ)]);
    const answers = [await lines.next(), await lines.next(), await lines.next()];
    expect(answers.filter(({ id }) => id === null)).toHaveLength(2);
  });
});

describe("taking a call back", () => {
  const cancelled = (reason: string) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 2, reason },
  });

  it.each([
    ["whatever is said of why", (text: string) => [text]],
    ["also in pieces", (text: string) => [text.slice(0, 20), text.slice(20, 45), text.slice(45)]],
    ["also with an end of line of another kind", (text: string) => [`${text.trimEnd()}\r\n`]],
    ["also where its slash is written in another way", (text: string) => [text.replaceAll("/", "\\/")]],
    ["also where that is long", (text: string) => piecesOf(text.replace("took", "x".repeat(200_000)))],
    ["also where its letters are", (text: string) => [text.replace("cancelled", "\\u0063ancelled")]],
  ])("ends it, %s", async (_, pieces) => {
    const { tool, begun } = waitingTool();
    await using scratch = openReadingGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    await begun;
    for (const piece of pieces(`${JSON.stringify(cancelled("tools/call took too long"))}\n`)) {
      lines.stdin.write(piece);
      await turn();
    }
    await expect.poll(() => states(scratch)).toEqual(["completed", "cancelled"]);
  });
});

describe("what is not taking back", () => {
  it.each([
    ["a request of that name", { jsonrpc: "2.0", id: 9 }],
    ["another protocol", { jsonrpc: "1.0" }],
  ])("is left to the SDK: %s", async (_, more) => {
    const { tool, begun } = waitingTool();
    await using scratch = openReadingGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(call(1, "read_file", READ, MODERN));
    lines.say(call(2, "waits", {}, MODERN));
    await begun;
    lines.say({ method: "notifications/cancelled", params: { requestId: 2 }, ...more });
    lines.say({ jsonrpc: "2.0", id: 10, method: "ping", params: MODERN });
    const answers = [await lines.next(), ...("id" in more ? [await lines.next()] : [])];
    expect(answers.map(({ id }) => id).sort()).toEqual("id" in more ? [10, 9] : [10]);
    expect(states(scratch)).toEqual(["completed", "executing"]);
  });
});

describe("what is no call", () => {
  it("is left to the SDK, also an answer that speaks of calls and has the number of one", async () => {
    const { tool, begun } = waitingTool();
    await using scratch = openReadingGate(tool);
    await using lines = await openLegacy(scratch, { elicitation: {} });
    await lines.ask(call(50, "read_file", READ));
    lines.say(call(0, "waits", {}));
    await begun;
    const asked = await lines.ask(call(51, "read_file", { path: "asked/a.txt" }));
    expect(asked).toMatchObject({ id: 0, method: "elicitation/create" });
    const result = { action: "accept", content: { answer: "approve" }, _meta: { about: "tools/call" } };
    const done = await lines.ask({ jsonrpc: "2.0", id: 0, result });
    expect(done).toMatchObject({ id: 51, result: { content: [{ text: "more words" }] } });
  });

  it("counts before the calls that come after it", async () => {
    await using scratch = openReadingGate();
    await using lines = await openLegacy(scratch, { roots: { listChanged: true } });
    const rootsAre = (id: number, uri: string) => ({ jsonrpc: "2.0", id, result: { roots: [{ uri }] } });
    lines.say(call(1, "read_file", READ));
    expect(await lines.next()).toMatchObject({ id: 0, method: "roots/list" });
    expect(await lines.ask(rootsAre(0, "file:///"))).toMatchObject({
      id: 1,
      result: { content: [{ text: "the words" }] },
    });
    expect((await lines.ask(call(2, "read_file", READ))).result.content).toEqual([{ type: "text", text: "the words" }]);
    lines.say({ jsonrpc: "2.0", method: "notifications/roots/list_changed" }, call(3, "read_file", READ));
    expect(await lines.next()).toMatchObject({ id: 1, method: "roots/list" });
    expect(await lines.ask(rootsAre(1, "file:///elsewhere"))).toMatchObject({ id: 3, result: { isError: true } });
    expect(states(scratch)).toEqual(["completed", "completed", "refused"]);
  });
});

describe("a line", () => {
  it("that is long and comes in pieces reaches the SDK whole", async () => {
    await using scratch = openReadingGate();
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    const text = `${JSON.stringify(call(2, "read_file", READ, { _meta: { ...ENVELOPE, long: "x".repeat(200_000) } }))}\n`;
    for (let at = 0; at < text.length; at += 30_000) lines.stdin.write(text.slice(at, at + 30_000));
    expect(await lines.next()).toMatchObject({ id: 2, result: { content: [{ text: "the words" }] } });
    expect((await lines.ask(readCall(3))).id).toBe(3);
  });

  it("is nobody's when the connection has been closed", async () => {
    await using scratch = openReadingGate();
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.stop();
    await lines.served;
    lines.say(readCall(2));
    await turn();
    await turn();
    expect(lines.stdin.listenerCount("data")).toBe(0);
    expect(scratch.rows()).toHaveLength(1);
  });
});
