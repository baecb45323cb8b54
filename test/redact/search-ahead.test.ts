import { expect, it } from "vitest";
import { made, redactorOf } from "./samples.ts";
import { expectSameAhead } from "./search-ahead.ts";

const LINE = (n: number) => `password=${made(20, "alnum", n)}\n`;
const secrets = (length: number) => Array.from({ length }, (_, n) => LINE(n));

/** How many turns of the event loop others have while something is waited for. */
async function turnsDuring(waitedFor: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await waitedFor;
  isOver = true;
  return turns;
}

it("gives the same in slices as at once", () => expectSameAhead(12));

it("takes out no less in slices than at once, where each password is the name of the next and a slice ends between them", async () => {
  const redactor = await redactorOf();
  const text = "\0\ufffdpwd: .".repeat(11_595);
  const content = [{ type: "text", text }] as const;
  const markers = (result: unknown) => JSON.stringify(result).split("[REDACTED:password]").length - 1;
  const atOnce = markers(redactor.redactResult(content, null));
  const ahead = markers(redactor.redactResult(content, null, await redactor.ahead([text])));
  expect(atOnce).toBe(Math.floor(11_595 / 2));
  expect(ahead).toBeGreaterThanOrEqual(atOnce);
});

it("leaves what is short to be searched at once", async () => {
  const redactor = await redactorOf();
  expect(redactor.ahead(["x".repeat(16 * 1024)])).toBeNull();
  expect(redactor.ahead([["x".repeat(16 * 1024), "y"]])).not.toBeNull();
  expect(redactor.ahead([{ type: "text" }, 7, null, undefined, true])).toBeNull();
});

it.each([
  ["one long text", () => [secrets(10_000).join("")]],
  ["many short ones", () => [{ deep: secrets(10_000) }]],
  ["halves of characters", () => [secrets(10_000).join("\ud800")]],
])("%s: others have their turns in between", async (_, values) => {
  const redactor = await redactorOf();
  const ahead = redactor.ahead(values());
  if (ahead === null) throw new Error("it is long");
  expect(await turnsDuring(ahead)).toBeGreaterThan(10);
});

it("searches what has become something else meanwhile", async () => {
  const redactor = await redactorOf();
  const item = { type: "text" as const, text: secrets(10_000).join("") };
  const ahead = redactor.ahead([item]);
  item.text = `and now ${LINE(1)}`;
  expect(redactor.redactContent([item], await ahead).content).toEqual(redactor.redactContent([item]).content);
  expect(JSON.stringify(redactor.redactContent([item], await ahead).content)).not.toContain(made(20, "alnum", 1));
});

it.each([
  ["a match that goes on to the end of a long line", "begin:.*", `a\nbegin:${"secret words ".repeat(20_000)}\nb`],
  ["a line's beginning, which a slice's is not", "^[a-z]{6}", `secret ${"another ".repeat(20_000)}\nsecret`],
  ["a line's end, which a slice's is not", "[a-z]{6}$", `${"another ".repeat(20_000)} secret`],
])("an operator's pattern finds the same in slices as at once: %s", async (_, pattern, text) => {
  const redactor = await redactorOf({ patterns: [{ name: "OWN", pattern }] });
  const content = [{ type: "text" as const, text }];
  const ahead = redactor.redactContent(content, await redactor.ahead(content)).content;
  expect(ahead).toEqual(redactor.redactContent(content).content);
  expect(JSON.stringify(ahead)).not.toContain("secret");
});

it.each([
  ["in one line", (packed: string) => packed],
  ["in short lines", (packed: string) => packed.replaceAll(/.{76}/g, "$&\n")],
])("an operator's pattern finds the same in bytes that are packed %s", async (_, lines) => {
  const redactor = await redactorOf({ patterns: [{ name: "OWN", pattern: "begin:.*" }] });
  const bytes = Buffer.from(`\xff\nbegin:${"secret words ".repeat(20_000)}\nb`, "latin1");
  const content = [{ type: "resource" as const, uri: "x:y", blob: lines(bytes.toString("base64")) }];
  const ahead = redactor.redactContent(content, await redactor.ahead(content)).content;
  expect(ahead).toEqual(redactor.redactContent(content).content);
  expect(Buffer.from(JSON.stringify(ahead).split('"blob":"')[1] ?? "", "base64").toString()).not.toContain("secret");
});

const TOKEN = `ghp_${made(36)}`;

it.each([
  ["ends no token", `${TOKEN}ghp_${TOKEN} .`], // the first one goes on, and so is none
  ["begins none", `${TOKEN} ..x${TOKEN} `],
])("a slice %s, wherever it is cut", async (_, piece) => {
  const redactor = await redactorOf();
  for (let more = 0; more < piece.length; more++) {
    const content = [{ type: "text" as const, text: piece.repeat(800) + ".".repeat(more) }];
    const ahead = redactor.redactContent(content, await redactor.ahead(content)).content;
    expect(ahead).toEqual(redactor.redactContent(content).content);
  }
});
