import { expect, it } from "vitest";
import { compileNamePattern } from "../../src/rules/name-pattern.ts";

it.each<[pattern: string, inside: readonly string[], outside: readonly string[]]>([
  ["read_file", ["read_file"], ["Read_file", "read_files", "xread_file", "read_fil", ""]],
  ["*", ["read_file", ""], []],
  ["git*", ["git", "git.push"], ["Git", "agit"]],
  ["*_file", ["read_file", "_file"], ["read_files", "_fil"]],
  ["mcp.*.read*", ["mcp.x.read", "mcp..read_all", "mcp.a.read.read"], ["mcp.read", "mcp.x.Read"]],
  ["a.b", ["a.b"], ["axb"]],
  ["*😀", ["😀", "a😀😀"], ["😀a"]],
])("%s", (pattern, inside, outside) => {
  const compiled = compileNamePattern(pattern);
  if ("error" in compiled) throw new Error(compiled.error);
  expect(inside.filter((name) => !compiled.matches(name))).toEqual([]);
  expect(outside.filter((name) => compiled.matches(name))).toEqual([]);
});

it.each<[pattern: string, error: string, hint: string]>([
  ["", "a tool pattern is empty", "write `*` for every tool"],
  ...["read?", "{a,b}", "[ab]", "a b", "!x", "a\\b", "a\nb", "\ud800"].map((pattern): [string, string, string] => [
    pattern,
    `the tool pattern ${JSON.stringify(pattern)} holds ${JSON.stringify(/[^a-zR]/u.exec(pattern)?.[0])}, which is in no tool's name`,
    "only `*` has a meaning, it stands for any characters",
  ]),
])("refuses %j", (pattern, error, hint) => expect(compileNamePattern(pattern)).toEqual({ error, hint }));
