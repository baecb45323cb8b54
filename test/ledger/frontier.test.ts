import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import { EMPTY_FRONTIER, frontierFromText, frontierText, levelsOf } from "../../src/ledger/frontier.ts";
import { TreeBuilder } from "../../src/ledger/tree.ts";

describe("levelsOf", () => {
  it.each([
    [0, []],
    [1, [0]],
    [6, [2, 1]],
    [7, [2, 1, 0]],
    [2 ** 40 + 2 ** 31 + 1, [40, 31, 0]],
  ])("of %d leaves", (size, levels) => {
    expect(levelsOf(size)).toEqual(levels);
  });
});

describe("the text of a frontier", () => {
  it("is read back as it was, and goes on as the same tree", () => {
    const tree = new TreeBuilder();
    for (let leaf = 0; leaf <= 40; leaf++) {
      const read = frontierFromText(frontierText(tree.frontier()));
      expect(read).toEqual(tree.frontier());
      expect(read && TreeBuilder.from(read).root()).toBe(tree.root());
      tree.add(digestOfText(`${leaf}`));
    }
    expect(frontierFromText("0:")).toEqual(EMPTY_FRONTIER);
  });

  const one = digestOfText("x");
  it.each(["", "0", `0:${one}`, "1:", `2:${one}${one}`, `1:${one.slice(1)}`, `01:${one}`, `1:${one.toUpperCase()}`])(
    "is refused when it is %j",
    (text) => {
      expect(frontierFromText(text)).toBeNull();
    },
  );
});
