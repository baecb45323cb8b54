import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../src/doors/cli/call.ts";
import { explain } from "../../../src/doors/cli/explain.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG, WRITE_ALLOWED } from "./configs.ts";
import { invoked } from "./invoked.ts";

/** What every outcome has. */
const WHOLE = {
  kind: "refused",
  callId: expect.stringMatching(/^call_[0-9a-f]{32}$/),
  durationMs: expect.any(Number),
  budgetConsumed: 0,
};
const READ = ["call", "read_file", '{"path":"a"}'];

describe("settings that can't be used", () => {
  it("none: nothing is allowed, and the hint says how to begin", async () => {
    using cli = openCli();
    const ended = await cli.run(READ);
    expect(ended).toMatchObject({ code: 3, out: "" });
    expect(ended.err).toBe(
      "refused CONFIG_INVALID there is no `toolgate.yaml` here or in a folder above, so nothing is allowed\n" +
        "  hint `toolgate init` writes one with safe rules\n",
    );
  });

  it("wrong: each place by file, line and column, and nothing is allowed", async () => {
    using cli = openCli("rules:\n  - { id: r, effekt: allow }\nrulez: []\n");
    cli.put("a");
    const ended = await cli.run(READ);
    expect(ended).toMatchObject({ code: 3, out: "" });
    expect(ended.err).toMatch(/^refused CONFIG_INVALID .*\n/);
    for (const place of ["toolgate.yaml:2:", "toolgate.yaml:3:1: "]) expect(ended.err).toContain(`  ${place}`);
    expect(cli.has(".toolgate")).toBe(false);
  });

  it("no YAML at all", async () => {
    using cli = openCli("rules: [\n");
    const ended = await cli.run([...READ, "--json"]);
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.out)).toMatchObject({
      kind: "refused",
      refusal: { code: "CONFIG_INVALID", errors: [{ field: expect.stringMatching(/^toolgate\.yaml:\d+:\d+$/) }] },
    });
  });

  it.each<[string, string | undefined, string]>([
    ["none", undefined, "CONFIG_INVALID"],
    ["wrong", "rulez: []\n", "CONFIG_INVALID"],
  ])("%s: in JSON on stdout, and no word on stderr", async (_, config, code) => {
    using cli = openCli(config);
    const { code: exit, out, err } = await invoked(cli, call, ["read_file"], { flags: { json: true } });
    expect([exit, err]).toEqual([3, ""]);
    expect(JSON.parse(out)).toMatchObject({ ...WHOLE, tool: "read_file", refusal: { code, stage: "resolve" } });
    expect(Object.keys(JSON.parse(out))).not.toContain("receipt");
  });

  it.each<[string, string | undefined, string]>([
    ["none", undefined, "CONFIG_INVALID"],
    ["wrong", "rulez: []\n", "CONFIG_INVALID"],
  ])("%s: an explanation is a deny", async (_, config, code) => {
    using cli = openCli(config);
    const { code: exit, out, err } = await invoked(cli, explain, ["read_file"], { flags: { json: true } });
    expect([exit, err]).toEqual([3, ""]);
    expect(JSON.parse(out)).toMatchObject({
      ...{ kind: "refused", refusal: { code } },
      ...{ decision: "deny", code, ruleId: null, touches: [], risk: null, plan: null, digest: null },
      reasons: [expect.stringContaining("nothing is allowed")],
    });
  });

  it.each<[string, readonly string[], string]>([
    ["a token that is not good", [], "SESSION_UNKNOWN"],
    ["--yes of an agent", ["--yes"], "LEASE_SCOPE"],
    ["--workspace of an agent", ["--workspace", "x"], "LEASE_SCOPE"],
  ])("%s: the call has its whole outcome", async (_, args, code) => {
    using cli = openCli(CONFIG);
    const ended = await cli.run([...READ, "--json", ...args], { env: { TOOLGATE_TOKEN: "tgs_some" } });
    expect(ended).toMatchObject({ code: 3, err: "" });
    expect(JSON.parse(ended.out)).toMatchObject({ ...WHOLE, tool: "read_file", refusal: { code } });
  });

  it("what is not about a call is the refusal alone", async () => {
    using cli = openCli();
    const ended = await cli.run(["tools", "--json"]);
    expect(ended.code).toBe(3);
    expect(Object.keys(JSON.parse(ended.out))).toEqual(["kind", "refusal"]);
  });

  it("a --config that is not there", async () => {
    using cli = openCli(CONFIG);
    const ended = await invoked(cli, call, ["read_file", '{"path":"a"}'], { flags: { config: "none.yaml" } });
    expect([ended.code, ended.err.includes("none.yaml:1:1: there is no such file")]).toEqual([3, true]);
  });

  it("a --workspace that is not there", async () => {
    using cli = openCli(CONFIG);
    const ended = await invoked(cli, call, ["read_file", '{"path":"a"}'], { flags: { workspace: "none" } });
    expect([ended.code, ended.err.includes("the workspace `none` is not a folder")]).toEqual([3, true]);
  });
});

describe("settings that can", () => {
  it("another workspace, by --workspace", async () => {
    using cli = openCli(CONFIG);
    cli.put("other/a", "other");
    expect(await cli.run([...READ, "--workspace", "other"])).toMatchObject({ code: 0, out: "other" });
  });

  it("another config, by --config, from another folder", async () => {
    using cli = openCli();
    cli.put("there/mine.yaml", WRITE_ALLOWED);
    mkdirSync(join(cli.workspace, "here"));
    const args = ["call", "write_file", '{"path":"b","content":"x"}', "--config", "../there/mine.yaml"];
    expect((await cli.run(args, { cwd: "here" })).code).toBe(0);
    expect(cli.text("there/b")).toBe("x");
  });
});
