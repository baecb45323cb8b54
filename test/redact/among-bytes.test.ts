import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { AmongBytes } from "../../src/redact/among-bytes.ts";
import { ShapeFinder } from "../../src/redact/shape-finder.ts";

const finder = new AmongBytes(new ShapeFinder("on", []));

const foundIn = (text: string): readonly string[] => {
  const bytes = Buffer.from(text, "latin1");
  return finder.find(bytes, "last").spans.map(({ start, end }) => bytes.toString("latin1", start, end));
};

describe("shapes among bytes", () => {
  it.each<[string, readonly string[]]>([
    ["password=hunter2\n\xff", ["hunter2"]],
    ["password=h\xfcnter2", ["h\xfcnter2"]],
    ["\0password=hunter2\0\x01", ["hunter2"]],
    ["password=hunter2\x7ftail", ["hunter2"]],
    ["password=\0hunter2", []],
    ["password=hun\0ter2", []],
    ["password \x01name\x02password=hunter2\0", ["hunter2"]],
    ["\xff\xfe", []],
  ])("%j", (text, found) => expect(foundIn(text)).toEqual(found));

  it("changes nothing of what it is given", () => {
    const bytes = Buffer.from("a\0b");
    finder.find(bytes, "last");
    expect(bytes).toEqual(Buffer.from("a\0b"));
  });
});
