import { describe, expect, it } from "vitest";
import { withTable } from "../../src/config/toml-edit.ts";
import { tomlKeys } from "../../src/config/toml-keys.ts";

const TABLE = '[mcp_servers.toolgate]\ncommand = "npx"\n';
const add = (text: string) => withTable(text, "mcp_servers.toolgate", TABLE);

it("a table is put at the end, once", () => {
  const edited = add('model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n');
  expect(edited).toMatchObject({ ok: true, text: expect.stringMatching(/# mine[\s\S]*other[\s\S]*toolgate/) });
  if (edited.ok) expect(add(edited.text)).toEqual(edited);
  expect(add("")).toEqual({ ok: true, text: TABLE });
});

describe("a table is not put beside another spelling of itself:", () => {
  it.each([
    ['[mcp_servers.toolgate]\ncommand = "mine"\n'],
    ['[ mcp_servers . "toolgate" ]\n'],
    ["[mcp_servers.toolgate.env]\nA = 1\n"],
    ["mcp_servers = { other = {} }\n"],
    ["mcp_servers.toolgate.command = 'x'\n"],
    ['["mcp_servers".toolgate]\n'],
    ["['mcp_servers'.'toolgate']\n"],
    ['["mcp\\u005fservers"."toolg\\u0061te"]\n'],
    ["[[mcp_servers.toolgate]]\n"],
    ['[mcp_servers]\ntoolgate = { command = "mine" }\n'],
    ['[mcp_servers]\ntoolgate.command = "mine"\n'],
    ['[mcp_servers]\n"toolgate" = {}\n'],
    ['"mcp_servers".toolgate.command = "mine"\n'],
    ['mcp_servers."toolgate" = {}\n'],
    ["mcp_servers = {}\n"],
    ['"mcp_servers" = { other = { args = ["]"] } }\n'],
    ["[[mcp_servers]]\nname = 1\n"],
    ['x = [\n  "[a]", # ]\n  """]""",\n]\n[mcp_servers.toolgate]\n'],
    ["x = {\n  a = 1 }\n[mcp_servers.toolgate]\n"],
  ])("%j", (text) => {
    expect(add(text)).toMatchObject({
      ok: false,
      message: expect.stringContaining("there is a `mcp_servers.toolgate`"),
    });
  });
});

describe("a table is not put into what is not understood:", () => {
  it.each([
    ["[mcp_servers\n"],
    ["= 1\n"],
    ["a\n"],
    ["a = 1 b = 2\n"],
    ['a = "open\n'],
    ['a = """open\n'],
    ["a = [1, 2\n"],
    ["a = [1}\n"],
    ["a =\n"],
    ['"a\\qb" = 1\n'],
    ["ä = 1\n"],
    ["[a] x\n"],
  ])("%j", (text) => {
    expect(add(text)).toEqual({ ok: false, message: "it is no TOML that is understood here" });
  });
});

describe("a table is put behind", () => {
  it.each([
    ["a text that speaks of it", 'a = """\n[mcp_servers.toolgate]\n"""\nb = \'[mcp_servers.toolgate]\'\n'],
    ["a comment", "# [mcp_servers.toolgate]\n"],
    ["the table that holds it", '[mcp_servers]\nother.command = "x"\n'],
    ["dates, numbers and lists", 'a = 1979-05-27 07:32:00Z\nb = [ [1, 2], [ "x" ] ] # y\nc = 1_000.5e3\r\nd = true\n'],
    ["texts with quotes in them", 'a = "x \\" # y"\nb = """a "" b""""\nc = \'\'\'x\'\'\'\n[d."e.f"]\n'],
    ["another's", '[mcp_servers.toolgates]\ncommand = "x"\n[mcp_serversx.toolgate]\n'],
    ["an inline table", "[x]\ny = { mcp_servers = { toolgate = 1 } }\n"],
  ])("%s", (_, text) => {
    expect(add(text)).toEqual({ ok: true, text: `${text.trimEnd()}\n\n${TABLE}` });
  });
});

it("keys have their full path", () => {
  const text = 'a = 1\n[b."c d"]\ne.f = [\n 1,\n]\n[[g]]\nh = {}\n';
  expect(tomlKeys(text)).toEqual([
    { path: ["a"], is: "value" },
    { path: ["b", "c d"], is: "table" },
    { path: ["b", "c d", "e", "f"], is: "value" },
    { path: ["g"], is: "list" },
    { path: ["g", "h"], is: "value" },
  ]);
});

it("lists that are nested without end are left alone", () => {
  expect(tomlKeys(`a = ${"[".repeat(200_000)}`)).toBeNull();
});
