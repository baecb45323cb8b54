// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { plainScript } from "../../src/shell/plain-line.ts";
import { withCorpus } from "../support/parts.ts";
import { expectSame, isPlainLine, readBothWays } from "./plain-line.ts";

const words = (...texts: readonly string[]) => ({
  type: "Plain",
  argv: texts.map((text) => ({ text, known: true })),
});
const commandsOf = (line: string) => plainScript(line)?.commands.map(({ command }) => command);

describe("a line that needs no parser", () => {
  readBothWays(3_000);

  it("is words with blanks between", () => {
    expect(commandsOf("npm test")).toEqual([words("npm", "test")]);
    expect(commandsOf(" \tls  -la\tsrc/ ")).toEqual([words("ls", "-la", "src/")]);
    expect(commandsOf("git show HEAD:a.ts --format=%h,%s user@host +x")).toEqual([
      words("git", "show", "HEAD:a.ts", "--format=%h,%s", "user@host", "+x"),
    ]);
  });

  it("may have quotes in which nothing is expanded", () => {
    expect(commandsOf("grep 'a | b; $(c) `d` \\ \"e\" !' x")).toEqual([words("grep", 'a | b; $(c) `d` \\ "e" !', "x")]);
    expect(commandsOf('echo "it\'s; a | b & c" \'\' ""')).toEqual([words("echo", "it's; a | b & c", "", "")]);
    expect(commandsOf("grep --include='*.ts' a'b'\"c\"d")).toEqual([words("grep", "--include=*.ts", "abcd")]);
  });

  it("may have lists and pipelines", () => {
    expect(commandsOf("a | b | c")).toEqual([{ type: "Pipeline", commands: [words("a"), words("b"), words("c")] }]);
    expect(commandsOf("a && b | c||d; e ;")).toEqual([
      {
        type: "AndOr",
        commands: [words("a"), { type: "Pipeline", commands: [words("b"), words("c")] }, words("d")],
        operators: ["&&", "||"],
      },
      words("e"),
    ]);
  });

  it("may send its errors where they open no file", () => {
    expect(commandsOf("a x 2>&1 | b 2>/dev/null")).toEqual([
      { type: "Pipeline", commands: [words("a", "x"), words("b")] },
    ]);
    expect(commandsOf("a 2>&1 x")).toEqual([words("a", "x")]);
    expect(commandsOf("a 2 2x")).toEqual([words("a", "2", "2x")]);
  });

  const others = [
    ...["", " ", ";", "a;;", "a ; ; b", "a &&", "&& a", "a |", "| a", "a || | b", "a & b", "a &", "a |& b", "a &&& b"],
    ...["a\nb", "a\\\nb", "a \\b", "a\rb", "a\0b", "a\u00a0b", "a é", "a 'é'", "a 'b\nc'", 'a "b\tc"', "a\u007f"],
    ...[
      "a $b",
      "a `b`",
      "a $(b)",
      "a ${b}",
      'a "$b"',
      'a "`b`"',
      'a "\\b"',
      'a "b!"',
      "a $'b'",
      'a $"b"',
      "a 'b",
      'a "b',
    ],
    ...[
      "a *",
      "a ?",
      "a [b]",
      "a {b,c}",
      "a ~",
      "a=~",
      "a !",
      "! a",
      "a #b",
      "# a",
      "a ^b",
      "a (b)",
      "(a)",
      "a()",
      "{ a; }",
    ],
    ...["a >b", "a <b", "a 2>b", "a 2>&1b", "a 2>&1; b", "a 2>&1&& b", "a2>&1", "2>&1 a", "a x2>&1", "a 2>/dev/nullx"],
    ...["a=b", "a=b c", "a+=b c", "'a' b", '"a" b', "a'b' c", "%1", "@a", "+a", "a:b", "[ a ]", "[[ a ]]"],
    ...["if a", "a; then b", "a && time b", "a | time b", "for a in b", "coproc a", "function a", "select a", "in a"],
    ...[
      "export a=b",
      "declare a",
      "local a=b",
      "readonly a=b",
      "typeset a=b",
      "eval a",
      "let a=1",
      "alias a=b",
      "case a",
    ],
  ];
  it.each(others)("is none with anything else: %j", (line) => expect(isPlainLine(line)).toBe(false));
});

interface Line {
  readonly cmd?: string;
  readonly src?: string;
}

describe.each([
  ["commands_real.jsonl", 1000],
  ["bash_bypass_cases.jsonl", 20],
  ["bash_safety_labelled.jsonl", 20],
  ["bash_parse_mvdan.jsonl", 50],
  ["bash_parse_treesitter.jsonl", 0],
])("%s", (file, atLeast) => {
  withCorpus<Line>(file)("read both ways", (lines) => {
    it("comes to the same", () => {
      const texts = lines.map(({ cmd, src }) => cmd ?? src ?? "");
      for (const text of texts) expectSame(text);
      const plain = texts.filter(isPlainLine);
      expect(plain.length).toBeGreaterThanOrEqual(atLeast);
    });
  });
});
