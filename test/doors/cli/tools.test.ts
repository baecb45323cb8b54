import { describe, expect, it } from "vitest";
import { tools } from "../../../src/doors/cli/tools.ts";
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
