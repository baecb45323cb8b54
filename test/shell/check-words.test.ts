import { describe, expect, it } from "vitest";
import { checkWords } from "../../src/shell/check-words.ts";

const PARAMETERS = [{ name: "path", type: "string", isClosed: false }] as const;

/** `P` stands for an input. */
const check = (line: string) =>
  checkWords(
    line.split(" ").map((word) => (word === "P" ? { parameter: "path" } : word)),
    PARAMETERS,
  );

describe("checkWords", () => {
  it.each([
    // What a value must not begin with; `any` is nothing.
    ["wc -w -- P", "any"],
    ["wc -w P", "-"],
    ["wc P --", "-"],
    ["git add -- P", "any"],
    ["git add P", "-"],
    ["sort -- P", "any"],
    ["some-formatter --write -- P", "any"],
    ["some-formatter --write P", "-"],
    // The `--` is a launcher's, or may be.
    ["nice -- sort P", "-"],
    ["nice sort -- P", "-"],
    ["npx -- sort P", "-"],
    ["kubectl exec pod -- cat P", "-"],
    ["uv run -- ruff P", "-"],
    ["cargo run -- P", "-"],
    ["some-launcher -- sort P", "-"],
    ["some-launcher sort -- P", "-"],
    ["bash ./own.sh -- P", "-"],
    ["python3 own.py -- P", "-"],
    ["time sort -- P", "-"],
    // `find` knows none.
    ["find P -delete", "-!(),"],
    ["find -- P -delete", "-!(),"],
    ["nice find P -delete", "-!(),"],
  ])("%s: not at its head: %s", (line, expected) => {
    const checked = check(line);
    const heads = line.split(" ").map((word) => (word === "P" ? expected.replace("any", "") : ""));
    expect(checked).toEqual({ ok: true, unfitHeads: heads });
  });

  it.each([
    ["npm run lint --silent -- P", 5, "may run what it is given"],
    ["npx -- eslint P", 3, "runs settings that lie beside it"],
    ["ssh host -- cat P", 4, "reads its arguments as commands"],
    ["bash -c P", 2, "reads it as code"],
    ["/usr/bin/bash -c P", 2, "reads it as code"],
    ["nice bash -c P", 3, "reads it as code"],
    ["python3 -c P", 2, "known only at run time"],
    ["node -e P", 2, "known only at run time"],
    ["env P ls", 1, "known only at run time"],
    ["find . -exec P ;", 3, "command's own name"],
    ["sudo P", 1, ""],
    // Inputs are on standard input as well.
    ["bash", 0, "would be code there"],
    ["sh -s", 0, "would be code there"],
    ["python3", 0, "would be code there"],
    ["ssh host", 0, "would be code there"],
    ["xargs rm", 0, "would be code there"],
    ["docker run -i image bash", 0, "would be code there"],
    ["__toolgate_x P", 0, "reserved"],
    ["A=b P", 1, "nothing is known"],
  ])("%s: refused at %d: %s", (line, at, why) => {
    expect(check(line)).toMatchObject({ ok: false, at, why: expect.stringContaining(why), fix: expect.any(String) });
  });

  it.each(["cat", "jq .path", "npm test", "bash ./own.sh", "python3 own.py", "node own.js", "git status", "tsc -p ."])(
    "%s: takes the inputs from standard input, and is fine",
    (line) => expect(check(line).ok).toBe(true),
  );

  it("takes every other word for what it is, whatever bash would make of it", () => {
    const odd = ["a b", "it's", "$(id)", "`id`", "\\", "*", "{a,b}", "~", "{{x}}", "# x", ";", "|", "a\nb", "", "é"];
    expect(checkWords(["cat", ...odd, { parameter: "path" }], PARAMETERS)).toMatchObject({ ok: true });
    expect(checkWords(["if", { parameter: "path" }], PARAMETERS)).toMatchObject({ ok: true });
    expect(checkWords(["bash", "-c", "cat;", { parameter: "path" }], PARAMETERS)).toMatchObject({ ok: true });
    expect(checkWords(["bash", "-c", 'eval "$1"', "_", { parameter: "path" }], PARAMETERS)).toMatchObject({
      ok: false,
      at: 4,
    });
  });
});
