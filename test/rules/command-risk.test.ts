import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { riskOf } from "../../src/rules/risk.ts";
import { touchesIn } from "../shell/judged.ts";
import { withSharedData } from "../support/parts.ts";

describe("the risk of a command, its arguments taken into account", () => {
  it.each([
    ["LOW", "ls -la"],
    ["LOW", "cat README.md | head -n 5"],
    ["LOW", "find . -name x"],
    ["LOW", "sed -n 1p f"],
    ["LOW", "awk '{print $1}' f"],
    ["LOW", "cd src && pwd"],
    ["LOW", "gawk '{print $1}' f"],
    ["MEDIUM", 'ls "$x"'],
    ["MEDIUM", "git status"],
    ["MEDIUM", "git"],
    ["MEDIUM", "git --version"],
    ["MEDIUM", "npm test"],
    ["MEDIUM", "python3 s.py"],
    ["MEDIUM", "mkdir x"],
    ["HIGH", "find . -delete"],
    ["HIGH", "sed -i s/a/b/ f"],
    ["HIGH", "awk 'BEGIN{system(1)}'"],
    ["HIGH", "git push origin"],
    ["HIGH", "git --no-pager reset --hard"],
    ["HIGH", 'git "$x"'],
    ["HIGH", "npm install x"],
    ["HIGH", "rm x"],
    ["HIGH", "sudo ls"],
    ["HIGH", "./ls"],
    ["HIGH", "A=1 ls"],
    ["HIGH", "whatever"],
    ["HIGH", "$x"],
  ])("%s: %s", (risk, line) => expect(riskOf(touchesIn(line))).toBe(risk));

  it("of a touch without words, or of a program that is not there, is HIGH", () => {
    const ls = [{ text: "ls", known: true }];
    expect(riskOf([{ kind: "exec", program: null, origin: "toolchain", argv: [] }])).toBe("HIGH");
    expect(riskOf([{ kind: "exec", program: null, origin: "nowhere", argv: ls }])).toBe("HIGH");
    expect(riskOf([{ kind: "exec", program: null, origin: "shell", argv: ls }])).toBe("LOW");
  });
});

withSharedData("codelab")("the tables of the S-FLOW seed", (folder) => {
  const tables = JSON.parse(readFileSync(join(folder, "risk_tables.json"), "utf8")) as Record<
    string,
    readonly string[]
  >;
  const risks = (names: readonly string[] = []) => new Map(names.map((name) => [name, riskOf(touchesIn(name))]));
  const others = (list: ReadonlyMap<string, string>, expected: string) =>
    [...list].filter(([, risk]) => risk !== expected).map(([name]) => name);

  it("are followed where they are sound", () => {
    // `patch` changes files.
    expect(others(risks(tables["cmd_low"]), "LOW")).toEqual(["patch"]);
    // Without a script these read their program from a pipe.
    expect(others(risks(tables["cmd_medium"]), "MEDIUM")).toEqual(["node", "php", "python", "python3", "ruby"]);
    expect(others(risks(tables["cmd_high"]), "HIGH")).toEqual([]);
    expect(others(risks(tables["cmd_forbidden"]), "HIGH")).toEqual([]);
  });
});
