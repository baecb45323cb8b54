import { describe, expect, it } from "vitest";
import { catalogOf } from "../../src/wiring/catalog-of.ts";
import { sampleTool } from "../support/sample-calls.ts";

const [a, b] = [sampleTool({ name: "a" }), sampleTool({ name: "b" })];

describe("catalogOf", () => {
  it("finds by exactly the name, and lists in the order given", () => {
    const catalog = catalogOf([b, a]);
    expect([catalog.find("a"), catalog.find("b")]).toEqual([a, b]);
    expect([...catalog.names()]).toEqual(["b", "a"]);
    expect([...catalog.all()]).toEqual([b, a]);
  });

  it.each(["A", "a ", "", "__proto__", "constructor"])("finds nothing for %j", (name) =>
    expect(catalogOf([a, b]).find(name)).toBeUndefined(),
  );

  it("holds no two of one name", () => expect(() => catalogOf([a, b, a])).toThrow("two tools are called `a`"));
});
