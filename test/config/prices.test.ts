import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { loaded, openScratch, problemsOf } from "./scratch.ts";

function load(prices: unknown) {
  using scratch = openScratch();
  return loadConfig({ path: scratch.put("toolgate.yaml", JSON.stringify({ prices })), variables: {} });
}

it("prices are read as they are", () => {
  const prices = [{ model: "anthropic/*", input: 3, output: 15.5 }];
  expect(loaded(load(prices)).prices).toEqual(prices);
  expect(loaded(load([])).prices).toEqual([]);
});

it.each<[string, unknown, RegExp]>([
  ["a pattern that fits nothing", [{ model: "a/[bc]", input: 1, output: 1 }], /holds `\[`/],
  ["less than nothing", [{ model: "a/b", input: -1, output: 1 }], /prices\[0\]\.input/],
  ["no number", [{ model: "a/b", input: "free", output: 1 }], /prices\[0\]\.input/],
  ["only one of the two", [{ model: "a/b", input: 1 }], /output/],
  ["something else", [{ model: "a/b", input: 1, output: 1, per: "token" }], /per/],
])("a problem: %s", (_, prices, message) => expect(problemsOf(load(prices)).join("\n")).toMatch(message));
