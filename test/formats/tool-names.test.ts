import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVERY_MODEL, MCP_NAMES, ToolNames } from "../../src/formats/tool-names.ts";
import { someName } from "./some-tools.ts";

const HASH = /_[0-9a-f]{8}$/;

describe("names of tools", () => {
  it.each([
    ["every model", EVERY_MODEL],
    ["mcp", MCP_NAMES],
  ])("are a bijection for any catalog, and legal: %s", (_, rule) => {
    void fc.assert(
      fc.property(fc.uniqueArray(someName, { maxLength: 30 }), (own) => {
        const names = new ToolNames(own, rule);
        const offered = own.map((name) => names.offered(name) ?? "");
        expect(new Set(offered).size).toBe(own.length);
        expect(offered.map((name) => names.own(name))).toEqual(own);
        expect(offered.filter((name) => !rule.legal.test(name))).toEqual([]);
        // A legal one is never changed, whoever else wants it.
        for (const [n, name] of own.entries()) if (rule.legal.test(name)) expect(offered[n]).toBe(name);
      }),
      { numRuns: 300 },
    );
  });

  it("don't depend on the order of the catalog", () => {
    void fc.assert(
      fc.property(fc.uniqueArray(someName, { maxLength: 20 }), (own) => {
        const [forth, back] = [new ToolNames(own, EVERY_MODEL), new ToolNames(own.toReversed(), EVERY_MODEL)];
        for (const name of own) expect(forth.offered(name)).toBe(back.offered(name));
      }),
    );
  });

  it.each<[string, RegExp]>([
    ["read_file", /^read_file$/],
    ["a".repeat(64), /^a{64}$/],
    ["a".repeat(65), /^a{31}_[0-9a-f]{8}$/],
    ["github.create_issue", /^github_create_issue_[0-9a-f]{8}$/],
    // Cyrillic: what imitates another loses its looks.
    ["reаd_file", /^re_d_file_[0-9a-f]{8}$/],
    ["3d", /^_3d_[0-9a-f]{8}$/],
    ["", /^__[0-9a-f]{8}$/],
    ["имя", /^__[0-9a-f]{8}$/],
    ["\ud800", /^__[0-9a-f]{8}$/],
  ])("%j is offered as %s", (own, offered) => {
    expect(new ToolNames([own], EVERY_MODEL).offered(own)).toMatch(offered);
  });

  it("of MCP may have dots, begin with a digit and be 128 long", () => {
    for (const name of ["github.create", "3d", "a".repeat(128)])
      expect(new ToolNames([name], MCP_NAMES).offered(name)).toBe(name);
    expect(new ToolNames(["a".repeat(129)], MCP_NAMES).offered("a".repeat(129))).toMatch(HASH);
  });

  it("that somebody has taken on purpose get a longer hash, and at last a number", () => {
    const own = "read.file";
    const taken: string[] = [];
    for (let n = 0; n < 15; n++) {
      const offered = new ToolNames([own, ...taken], EVERY_MODEL).offered(own) ?? "";
      expect(taken).not.toContain(offered);
      expect(offered).toMatch(EVERY_MODEL.legal);
      taken.push(offered);
    }
    expect(taken.at(-1)).toMatch(/^read_file_[0-9a-f]{8}_3$/);
  });

  it("of which two have one hash are two: a lone surrogate has no UTF-8 form", () => {
    const names = new ToolNames(["\ud800", "\ud801"], EVERY_MODEL);
    expect(names.offered("\ud800")).not.toBe(names.offered("\ud801"));
  });

  it("twice in one catalog are a mistake", () => {
    expect(() => new ToolNames(["a", "a"], EVERY_MODEL)).toThrow("two tools are called `a`");
  });
});
