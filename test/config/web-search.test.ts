import { describe, expect, it } from "vitest";
import type { RawSearch } from "../../src/config/config-shape.ts";
import { webSearchFrom } from "../../src/config/web-search.ts";

const VARIABLES = { KEY: "k3y-of-the-gate", EMPTY: "" };
const from = (search: RawSearch) => webSearchFrom({ tools: { web: { search } } }, VARIABLES);
const KEY = { secret: "KEY" };

it("there is none unless it is written", () => {
  expect(webSearchFrom({}, VARIABLES)).toEqual({ search: null, problems: [] });
  expect(webSearchFrom({ tools: { web: {} } }, VARIABLES)).toEqual({ search: null, problems: [] });
});

it.each<[RawSearch, string]>([
  [{ backend: "searxng" }, "http://localhost:8080/"],
  [{ backend: "searxng", url: "https://search.example/x" }, "https://search.example/x"],
  [{ backend: "searxng", url: "http://127.0.0.1:81", key: KEY }, "http://127.0.0.1:81/"],
  [{ backend: "brave", key: KEY }, "https://api.search.brave.com/"],
  [{ backend: "tavily", key: KEY }, "https://api.tavily.com/"],
])("%j", (raw, url) => expect(from(raw)).toMatchObject({ search: { backend: raw.backend, url }, problems: [] }));

it("its key is a secret, named by its variable", () => {
  const { search } = from({ backend: "brave", key: KEY });
  expect(search?.key?.name).toBe("KEY");
  expect(search?.key?.value.reveal()).toBe("k3y-of-the-gate");
  expect(JSON.stringify(search)).not.toContain("k3y-of-the-gate");
});

it.each(["http://127.example/", "http://localhost.example/", "http://10.0.0.1/"])("a key is not sent to %s", (url) =>
  expect(from({ backend: "searxng", url, key: KEY }).problems).toHaveLength(1),
);

describe("problems", () => {
  it.each<[RawSearch, string]>([
    [{ backend: "brave" }, "`brave` needs a `key`"],
    [{ backend: "tavily" }, "`tavily` needs a `key`"],
    [{ backend: "brave", key: { secret: "NONE" } }, "the variable `NONE` is not set"],
    [{ backend: "brave", key: { secret: "EMPTY" } }, "the variable `EMPTY` is not set"],
    [
      { backend: "searxng", url: "ftp://x" },
      "the service's address `ftp://x` can't be asked for: its scheme is `ftp`, and only `http` and `https` are spoken",
    ],
    [
      { backend: "brave", url: "http://a.example", key: KEY },
      "the key would be sent where everybody on the way can read it",
    ],
  ])("%j", (raw, message) => {
    const { search, problems } = from(raw);
    expect(search).toBeNull();
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });
});
