import { describe, expect, it } from "vitest";
import { providersFrom } from "../../src/config/inference.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { loadText, problemsOf } from "./scratch.ts";

const VARIABLES = {
  KEY: "k3y-of-the-provider",
  EMPTY: "",
  LINE: "k3y-of-the-provider\n",
  WIDE: "k3y-of-the-provider\u20ac",
};
const KEY = { secret: "KEY" };
const from = (providers: JsonObject) => providersFrom({ tools: { inference: { providers } } }, VARIABLES);
const one = (provider: JsonObject) => from({ p: { models: ["m"], ...provider } });

it("there are none unless they are written", () => {
  expect(providersFrom({}, VARIABLES)).toEqual({ providers: [], problems: [] });
  expect(providersFrom({ tools: { inference: {} } }, VARIABLES)).toEqual({ providers: [], problems: [] });
});

it.each<[JsonObject, string]>([
  [{ wire: "anthropic", key: KEY }, "https://api.anthropic.com"],
  [{ wire: "openai", key: KEY }, "https://api.openai.com/v1"],
  [{ wire: "openai", key: KEY, url: "https://proxy.example/openai/v1/" }, "https://proxy.example/openai/v1"],
  [{ wire: "openai-compatible", url: "http://127.0.0.1:11434/v1" }, "http://127.0.0.1:11434/v1"],
  [{ wire: "openai-compatible", url: "http://localhost:1/v1", key: KEY }, "http://localhost:1/v1"],
])("%j", (raw, url) => expect(one(raw)).toMatchObject({ providers: [{ name: "p", url }], problems: [] }));

it("its key is a secret", () => {
  const [provider] = one({ wire: "anthropic", key: KEY }).providers;
  expect(provider?.key?.reveal()).toBe("k3y-of-the-provider");
  expect(JSON.stringify(provider)).not.toContain("k3y-of-the-provider");
});

it("has so much time and no more", () => {
  expect(one({ wire: "anthropic", key: KEY }).providers[0]?.timeoutMs).toBe(120_000);
  expect(one({ wire: "anthropic", key: KEY, timeoutMs: 1000 }).problems).toEqual([]);
  expect(one({ wire: "anthropic", key: KEY, timeoutMs: 999 }).problems).toHaveLength(1);
  expect(one({ wire: "anthropic", key: KEY, timeoutMs: 1_800_001 }).problems).toHaveLength(1);
});

describe("problems", () => {
  it.each<[JsonObject, string]>([
    [{ wire: "anthropic" }, "`anthropic` needs a `key`"],
    [{ wire: "openai" }, "`openai` needs a `key`"],
    [{ wire: "openai-compatible" }, "`openai-compatible` needs a `url`"],
    [{ wire: "openai", key: { secret: "NONE" } }, "the variable `NONE` is not set"],
    [{ wire: "openai", key: { secret: "EMPTY" } }, "the variable `EMPTY` is not set"],
    [{ wire: "openai", key: { secret: "LINE" } }, "the variable `LINE` holds what no key is written with"],
    [{ wire: "openai", key: { secret: "WIDE" } }, "the variable `WIDE` holds what no key is written with"],
    [{ wire: "else" }, "must be one of `anthropic`, `openai`, `openai-compatible`"],
    [{ wire: "openai", key: "sk-literal" }, "must be an object"],
    [{ wire: "openai", key: KEY, modles: [] }, "is not a known field"],
    [{ wire: "openai", key: KEY, models: [] }, "at least 1"],
    [{ wire: "openai", key: KEY, models: ["gpt-*"] }, "`gpt-*` is no name of a model"],
    [{ wire: "openai", key: KEY, url: "ftp://x" }, "the address `ftp://x` can't be asked for"],
    [{ wire: "openai", key: KEY, url: "https://a.example/v1?x=1" }, "has a part behind its path"],
    [{ wire: "openai", key: KEY, url: "http://a.example/v1" }, "the key and prompts would be sent where everybody"],
    [{ wire: "openai-compatible", url: "http://10.0.0.1/v1" }, "prompts would be sent where everybody"],
  ])("%j", (raw, message) => {
    const { providers, problems } = one(raw);
    expect(providers).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(message);
    expect(JSON.stringify(problems)).not.toContain("k3y-of-the-provider");
  });

  it.each(["A", "a/b", "", "-a", "a".repeat(51)])("a provider can't be called `%s`", (name) =>
    expect(from({ [name]: { wire: "anthropic", models: ["m"], key: KEY } }).problems).toHaveLength(1),
  );

  it("have their place in the file", () => {
    const text = "tools:\n  inference:\n    providers:\n      p: { wire: anthropic, models: [m] }\n";
    expect(problemsOf(loadText(text))[0]).toMatch(/^4:10 `anthropic` needs a `key`/);
  });
});
