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

it("leaves what is short to be searched at once", async () => {
  const redactor = await redactorOf();
  expect(redactor.ahead(["x".repeat(64 * 1024)])).toBeNull();
  expect(redactor.ahead([["x".repeat(64 * 1024), "y"]])).not.toBeNull();
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
