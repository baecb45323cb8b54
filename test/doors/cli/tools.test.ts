import { describe, expect, it } from "vitest";
import { tools } from "../../../src/doors/cli/tools.ts";
import { FORMAT_NAMES } from "../../../src/formats/formats.ts";
import { TOOL_RULES } from "../../formats/provider-rules.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

describe("toolgate tools", () => {
  it("lists each tool with what it takes", async () => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await invoked(cli, tools);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^read_file {2}Reads a file.*\n {2}path: string {2}.*\n/);
    expect(out).toMatch(/\n {2}offset\?: integer {2}/);
    expect(out).not.toMatch(/ \n/);
  });

  it("says which words there are to choose from, and what stands in a list", async () => {
    using cli = openCli(CONFIG);
    const { out } = await invoked(cli, tools);
    expect(out).toContain("\n  encoding?: utf-8 or base64  how");
    expect(out).toContain(
      "\n  edits: array of {type: replace or insert, oldText?: string, line?: integer, newText: string}  applied",
    );
    expect(out).not.toContain(": any");
  });

  it("--json: the definitions, in one line", async () => {
    using cli = openCli(CONFIG);
    expect(await cli.json(["tools"])).toContainEqual(
      expect.objectContaining({ name: "write_file", inputSchema: expect.objectContaining({ type: "object" }) }),
    );
  });

  it("--json has no other words in it", async () => {
    using cli = openCli(CONFIG);
    const { out, err } = await invoked(cli, tools, [], { flags: { json: true } });
    expect([JSON.parse(out).length > 0, err]).toEqual([true, ""]);
  });

  it("lists none where the config names none", async () => {
    using cli = openCli("tools: { builtin: [] }\n");
    expect(await invoked(cli, tools)).toEqual({ code: 0, out: "", err: "" });
  });
});

describe("toolgate tools --format", () => {
  const listed = async (format: string) => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await invoked(cli, tools, [], { flags: { format } });
    expect([code, err]).toEqual([0, ""]);
    return JSON.parse(out);
  };

  it.each(FORMAT_NAMES)("%s: one line, good by the provider's rules", async (format) => {
    expect(TOOL_RULES[format](await listed(format))).toEqual([]);
  });

  it("json: the gate's own definitions", async () => {
    expect(await listed("json")).toContainEqual(expect.objectContaining({ name: "read_file", source: "builtin" }));
  });

  it("--only: some of them, by name", async () => {
    using cli = openCli(CONFIG);
    const { out } = await invoked(cli, tools, [], { flags: { format: "openai", only: "read_*, write_file" } });
    const names = JSON.parse(out).map((tool: { function: { name: string } }) => tool.function.name);
    expect(names).toContain("write_file");
    expect(names.every((name: string) => /^read_|^write_file$/.test(name))).toBe(true);
    await expect(invoked(cli, tools, [], { flags: { only: "x" } })).rejects.toThrow("`--only` goes with");
  });

  it("a2a-skills: each tool as a skill of an agent card", async () => {
    expect(await listed("a2a-skills")).toContainEqual({
      id: "read_file",
      name: "read_file",
      description: expect.stringContaining("Reads a file"),
      tags: ["tool"],
      examples: [],
    });
  });

  it("knows no other format", async () => {
    using cli = openCli(CONFIG);
    const run = (format: string, words: string[] = []) => invoked(cli, tools, words, { flags: { format } });
    await expect(run("antropic")).rejects.toMatchObject({
      message: "`antropic` is no format",
      hint: "did you mean `anthropic`",
    });
    await expect(run("xxxxxxxxxxx")).rejects.toMatchObject({
      hint: expect.stringContaining("it is one of anthropic, "),
    });
    await expect(run("mcp", ["check"])).rejects.toThrow("`tools check` takes no `--format`");
  });
});

describe("toolgate tools, otherwise", () => {
  it("--names: one on each line", async () => {
    using cli = openCli(CONFIG);
    const { out } = await invoked(cli, tools, [], { flags: { names: true } });
    expect(out).toMatch(/^read_file\nwrite_file\n([a-z_]+\n)+$/);
  });

  it("knows no other word", async () => {
    using cli = openCli(CONFIG);
    await expect(invoked(cli, tools, ["chek"])).rejects.toThrow("`tools chek` does not exist");
    await expect(invoked(cli, tools, ["check", "a", "b"])).rejects.toThrow("`b` is one word too many");
  });
});

describe("toolgate tools check", () => {
  const BAD = JSON.stringify([{ name: "a b\u001b[31m", description: "d", inputSchema: { type: "object" } }]);

  it("finds nothing about the tools of the configuration", async () => {
    using cli = openCli(CONFIG);
    expect(await invoked(cli, tools, ["check"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^good \d+ tools, 0 errors, 0 warnings\n$/),
    });
    expect(await cli.json(["tools", "check"])).toMatchObject({ ok: true, problems: [] });
  });

  it("says where there are more than OpenAI takes", async () => {
    using cli = openCli(CONFIG);
    const inputSchema = { type: "object", properties: {} };
    const some = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        name: `tool_${n}`,
        description: "Does what it says it does",
        inputSchema,
      }));
    for (const count of [128, 129]) {
      cli.put("some.json", JSON.stringify(some(count)));
      const { out } = await invoked(cli, tools, ["check", "some.json"]);
      expect(out.includes("takes 128 tools at most")).toBe(count > 128);
    }
  });

  it("finds what is wrong with definitions in a file, and shows it safely", async () => {
    using cli = openCli();
    cli.put("tools.json", BAD);
    const { code, out } = await invoked(cli, tools, ["check", "tools.json"]);
    expect([code, out]).toEqual([
      1,
      "error   a b\\u{1b}[31m name: a name has 1 to 128 letters, digits, `_`, `.` and `-`, and nothing else\n" +
        "warning a b\\u{1b}[31m inputSchema.additionalProperties: it takes arguments that it does not name; `additionalProperties: false` refuses a misspelt one\n" +
        "warning a b\\u{1b}[31m effects: it does not say what it does, so rules take it for the worst\n" +
        "bad 1 tools, 1 errors, 2 warnings\n",
    ]);
  });

  it.each<[string, string]>([
    ["a list", BAD],
    ["what an MCP server answers", `{"tools":${BAD}}`],
    ["a single one", BAD.slice(1, -1)],
  ])("takes %s, also from standard input", async (_, input) => {
    using cli = openCli();
    const { code, out } = await invoked(cli, tools, ["check", "-"], { input, flags: { json: true } });
    expect([code, JSON.parse(out)]).toMatchObject([1, { ok: false, tools: 1, problems: [{ rule: "format" }, {}, {}] }]);
  });

  it.each<[string, string]>([
    ["{", "`-` is not JSON: line 1, column 2"],
    ["7", "`-` holds no list of tools"],
  ])("%s is not understood", async (input, message) => {
    using cli = openCli();
    await expect(invoked(cli, tools, ["check", "-"], { input })).rejects.toThrow(message);
  });

  it("a file that is not there is not understood", async () => {
    using cli = openCli();
    await expect(invoked(cli, tools, ["check", "none.json"])).rejects.toThrow("`none.json` does not exist");
  });
});
