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

it("refuses an empty pattern", () =>
  expect(compileNamePattern("")).toEqual({ error: "a tool pattern is empty", hint: "write `*` for every tool" }));

it.each<[pattern: string, error: string]>([
  ["read?", "the tool pattern `read?` holds `?`, which is in no tool's name"],
  ["{a,b}", "the tool pattern `{a,b}` holds `{`, which is in no tool's name"],
  ["[ab]", "the tool pattern `[ab]` holds `[`, which is in no tool's name"],
  ["!x", "the tool pattern `!x` holds `!`, which is in no tool's name"],
  ["a b", "the tool pattern `a b` holds ` `, which is in no tool's name"],
  ["a\\b", "the tool pattern `a\\b` holds `\\`, which is in no tool's name"],
  ["a\nb", "the tool pattern `a\\u{a}b` holds `\\u{a}`, which is in no tool's name"],
  ["\ud800", "the tool pattern `\\u{d800}` holds `\\u{d800}`, which is in no tool's name"],
  [`${"x".repeat(80)}x?`, `the tool pattern \`${"x".repeat(80)}…\` holds \`?\`, which is in no tool's name`],
])("refuses %j", (pattern, error) =>
  expect(compileNamePattern(pattern)).toEqual({ error, hint: "only `*` has a meaning, it stands for any characters" }),
);
