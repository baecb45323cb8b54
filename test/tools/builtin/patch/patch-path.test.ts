import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchPathFrom, quotedPatchPath } from "../../../../src/tools/builtin/patch/patch-path.ts";

describe("a path in a patch", () => {
  it.each([
    ["a b", "a b"],
    ['"a b"', "a b"],
    ['"\\303\\251"', "é"],
    ['"\\"\\\\\\n\\t"', '"\\\n\t'],
    ["é", "é"],
    ["a\\b", "a\\b"],
    ["", null],
    ['"a', null],
    ['"a"b"', null],
    ['"\\x"', null],
    ['"\\400"', null],
    ['"\\377"', null],
  ])("%s is %j", (text, path) => expect(patchPathFrom(text)).toBe(path));

  it("comes back as it was, whatever is in it", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (path) => {
        const quoted = quotedPatchPath(path);
        expect(quoted).not.toMatch(/[\n\t]/);
        expect(patchPathFrom(quoted)).toBe(path);
      }),
    );
  });
});
