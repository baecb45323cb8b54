import { describe, expect, it } from "vitest";
import type { ExecTouch, Word } from "../../src/domain/touch.ts";
import { compileCommandPattern } from "../../src/rules/command-pattern.ts";
import { commandWords } from "../../src/rules/command-words.ts";
import type { Coverage } from "../../src/rules/pattern.ts";
import { ANY_WORD, ANY_WORDS, couldMatch } from "../../src/rules/word-match.ts";

const RULE = { effect: "allow", dynamic: false, workspace: "/ws" } as const;

/** `?x` is a word that is not known, `?*x` one that may be many, `!x` a hazard. */
function word(text: string): Word {
  if (text.startsWith("?*")) return { text: text.slice(2), known: false, many: true };
  if (text.startsWith("?")) return { text: text.slice(1), known: false };
  return text.startsWith("!") ? { text: text.slice(1), known: true, hazard: "harms" } : { text, known: true };
}

const words = (line: string): readonly Word[] => (line === "" ? [] : line.split(" ").map(word));

const exec = (line: string, more: Partial<ExecTouch> = {}): ExecTouch => {
  const argv = words(line);
  return { kind: "exec", program: `/usr/bin/${argv[0]?.text}`, origin: "toolchain", argv, ...more };
};

function coverage(
  pattern: string,
  touch: ExecTouch,
  rule: Partial<Parameters<typeof compileCommandPattern>[1]> = {},
): Coverage {
  const compiled = compileCommandPattern(pattern, { ...RULE, ...rule });
  if ("error" in compiled) throw new Error(compiled.error);
  return compiled.covers?.(touch) ?? "no";
}

describe("an allow rule", () => {
  it.each<[pattern: string, yes: readonly string[], no: readonly string[]]>([
    ["npm test", ["npm test"], ["npm", "npm test x", "npm tests", "npm TEST", "npmx test", "x npm test", "npm ?test"]],
    ["npm run *", ["npm run x"], ["npm run", "npm run x y", "npm run ?x", "npm run !x", "npm run ?*x"]],
    ["npm run **", ["npm run", "npm run x", "npm run x y"], ["npm", "npm run ?x", "npm run x !y"]],
    ["git ** main", ["git main", "git push origin main", "git main main"], ["git", "git main x", "git ?x main"]],
    ["a ** b ** c", ["a b c", "a x b y c", "a b b c c"], ["a b", "a c b", "a x b !y c"]],
    ["sed -i **", ["sed -i x", "sed !-i x"], ["sed x !-i", "sed !-i !x"]],
    ["**", ["ls", "rm -rf /"], ["ls !x", "ls ?x"]],
    ["* -v", ["ls -v"], ["-v", "ls x -v"]],
    ["'a b' \"c'd\" e\\ f", ["a b c'd e f"], []],
  ])("%s", (pattern, yes, no) => {
    if (pattern.startsWith("'a b'")) {
      const argv = ["a b", "c'd", "e f"].map((text) => ({ text, known: true }));
      return expect(coverage(pattern, { ...exec("x"), argv })).toBe("yes");
    }
    for (const line of yes) expect([line, coverage(pattern, exec(line))]).toEqual([line, "yes"]);
    for (const line of no) expect([line, coverage(pattern, exec(line))]).toEqual([line, "no"]);
  });

  it("with `dynamic` covers what is known only at run time, as many words as it may be", () => {
    const dynamic = { dynamic: true };
    expect(coverage("ls *", exec("ls ?x"), dynamic)).toBe("yes");
    expect(coverage("ls *", exec("ls ?*x"), dynamic)).toBe("no");
    expect(coverage("ls **", exec("ls ?*x"), dynamic)).toBe("yes");
    expect(coverage("ls x", exec("ls ?x"), dynamic)).toBe("no");
    expect(coverage("ls **", { ...exec("ls"), argv: [word("ls"), { ...word("?x"), hazard: "harms" }] }, dynamic)).toBe(
      "no",
    );
  });

  it("asks who the program is", () => {
    expect(coverage("npm test", exec("npm test", { origin: "shell", program: null }))).toBe("yes");
    expect(coverage("npm test", exec("npm test", { origin: "elsewhere" }))).toBe("no");
    expect(coverage("npm test", exec("npm test", { origin: "nowhere", program: null }))).toBe("no");
    expect(coverage("npm test", exec("./npm test", { program: "/ws/npm", origin: "elsewhere" }))).toBe("no");
    expect(coverage("./npm test", exec("./npm test", { program: "/ws/npm", origin: "elsewhere" }))).toBe("yes");
    expect(coverage("./npm test", exec("npm test", { program: "/ws/npm", origin: "elsewhere" }))).toBe("yes");
    expect(coverage("./npm", exec("./npm", { program: "/npm", origin: "elsewhere" }), { workspace: "/" })).toBe("yes");
    expect(coverage("./npm test", exec("./npm test", { program: "/ws/sub/npm", origin: "elsewhere" }))).toBe("no");
    expect(coverage("/usr/bin/npm test", exec("npm test"))).toBe("yes");
    expect(coverage("/usr/bin/python3", exec("/usr/bin/python3", { program: "/usr/bin/python3.12" }))).toBe("yes");
    expect(coverage("/usr/bin/x", exec("/usr/bin/x", { program: "/opt/x", origin: "elsewhere" }))).toBe("no");
    expect(coverage("npm", exec("/usr/bin/npm"))).toBe("no");
    expect(coverage("npm", { ...exec("npm"), argv: [] })).toBe("no");
  });

  it("has to name each variable that is set", () => {
    const env = [{ text: "A=1", known: true, hazard: "sets" }];
    expect(coverage("npm test", exec("npm test", { env }))).toBe("no");
    expect(coverage("A=1 npm test", exec("npm test", { env }))).toBe("yes");
    expect(coverage("A=2 npm test", exec("npm test", { env }))).toBe("no");
    expect(coverage("A=1 npm test", exec("npm test"))).toBe("no");
    expect(coverage("**", exec("npm test", { env }))).toBe("no");
  });
});

describe.each(["ask", "deny"] as const)("a rule that says %s", (effect) => {
  const maybe = effect === "deny" ? "yes" : "maybe";
  it.each<[pattern: string, line: string, more: Partial<ExecTouch>, expected: Coverage]>([
    ["rm **", "rm x", {}, "yes"],
    ["rm **", "rm !x", { env: [{ text: "A=1", known: true }] }, "yes"],
    ["rm **", "ls x", {}, "no"],
    ["rm **", "rm ?x", {}, maybe],
    ["rm **", "/bin/rm x", {}, maybe],
    ["rm **", "./rm x", { origin: "elsewhere", program: "/ws/rm" }, maybe],
    ["rm **", "del x", { program: "/usr/bin/rm" }, maybe],
    ["/usr/bin/rm **", "del x", { program: "/usr/bin/rm" }, "yes"],
    ["/usr/bin/rm **", "del x", { program: "/usr/bin/rm", origin: "elsewhere" }, "yes"],
    ["git push **", "git ?x", {}, maybe],
    ["git push **", "git ?*x", {}, maybe],
    ["git push", "git ?x y", {}, "no"],
    ["git push origin", "git ?*x", {}, maybe],
    ["git push", "git log ?x", {}, "no"],
    ["git push", "git push ?*x", {}, maybe],
    ["git push", "git push ?x", {}, "no"],
    ["timeout **", "npm test", { via: [words("timeout 5 npm test")] }, maybe],
    ["rm **", "busybox rm x", {}, maybe],
    ["rm **", "ssh host rm x", {}, maybe],
    ["rm **", "npx -y rm", { via: [words("nice npx -y rm")] }, maybe],
    ["rm **", "npx ?x", { via: [words("nice npx")] }, "no"],
    ["A=1 rm **", "rm x", {}, "yes"],
    ["*", "ls", {}, "yes"],
    ["*", "ls x", {}, "no"],
  ])("%s on %s %j: %s", (pattern, line, more, expected) =>
    expect(coverage(pattern, exec(line, more), { effect })).toBe(expected),
  );

  it("with `dynamic` is sure of what is known only at run time", () =>
    expect(coverage("rm **", exec("rm ?x"), { effect, dynamic: true })).toBe("yes"));

  it("looks into the text that a starter is given", () => {
    const argv = ["ssh", "host", "ls; rm -rf x"].map((text) => ({ text, known: true }));
    expect(coverage("rm **", { ...exec("ssh"), argv }, { effect })).toBe(maybe);
    expect(coverage("rm -r", { ...exec("ssh"), argv }, { effect })).toBe("no");
  });
});

describe("words of a pattern", () => {
  it.each<[string, readonly unknown[]]>([
    ["npm  test", ["npm", "test"]],
    ["a\t*\t**", ["a", ANY_WORD, ANY_WORDS]],
    ["'*' \"**\" \\*", ["*", "**", "*"]],
    ['"a\\"b\\\\" \'c d\'e', ['a"b\\', "c de"]],
    ["'a\nb'", ["a\nb"]],
    ["\u00a0x", ["\u00a0x"]],
    ["''", [""]],
  ])("%j", (text, expected) => expect(commandWords(text)).toEqual(expected));

  it.each<[string, string]>([
    ["", "the pattern is empty"],
    [" ", "the pattern is empty"],
    ["a *.ts", "the `*` in `*.ts` would be a part of a word"],
    ["a '*'*", "the `*` in `**` would be a part of a word"],
    ["a 'b", "`a 'b` has a quote that does not end"],
    ["a; b", "`;` is no part of a command: each command of a line is judged by itself"],
    ["a $(b)", "`$` is no part of a command: each command of a line is judged by itself"],
    ["a\nb", "the pattern holds a control character"],
    ["a\0", "the pattern holds characters that no command line has"],
    ["\ud800", "the pattern holds characters that no command line has"],
  ])("%j is refused", (text, error) => expect(commandWords(text)).toMatchObject({ error }));

  it.each(["A=1", "A=1 B=2"])("%s names no program", (text) =>
    expect(compileCommandPattern(text, RULE)).toMatchObject({ error: "the pattern names no program" }),
  );

  it("begin the steps by which the index finds them", () => {
    const headOf = (text: string) => {
      const compiled = compileCommandPattern(text, RULE);
      return "head" in compiled ? compiled.head : null;
    };
    expect(headOf("/usr/bin/git log **")).toEqual(["git", "log"]);
    expect(headOf("A=1 git")).toEqual(["git"]);
    expect(headOf("** x")).toEqual([]);
    expect(headOf("a b c d e f g")).toEqual(["a", "b", "c", "d"]);
  });

  it("are for commands only", () => {
    const compiled = compileCommandPattern("ls", RULE);
    expect("matches" in compiled && compiled.matches("ls")).toBe(false);
  });
});

describe("what could match", () => {
  it.each<[tokens: readonly (string | typeof ANY_WORD | typeof ANY_WORDS)[], line: string, expected: boolean]>([
    [["a"], "a", true],
    [["a"], "b", false],
    [["a", "b"], "?*x", true],
    [["a", "b"], "?x", false],
    [["a"], "a ?*x", true],
    [["a"], "?*x a ?*y", true],
    [["a", ANY_WORDS, "c"], "a ?x c", true],
    [["a", ANY_WORDS, "c"], "a b", false],
    [["a", ANY_WORD], "a", false],
    [["a", ANY_WORD], "a ?*x", true],
    [[ANY_WORDS], "", true],
    [["a"], "", false],
    [[], "?*x", true],
  ])("%j on %j: %s", (tokens, line, expected) => expect(couldMatch(tokens, words(line))).toBe(expected));
});
