import { describe, expect, it } from "vitest";
import { call } from "../../../src/doors/cli/call.ts";
import { UsageError } from "../../../src/doors/cli/command.ts";
import { init } from "../../../src/doors/cli/init.ts";
import { openCli } from "../../support/run-cli.ts";
import { invoked } from "./invoked.ts";

describe("toolgate init", () => {
  it("writes a config that takes effect at once, and says what to do next", async () => {
    using cli = openCli();
    const ended = await cli.run(["init"]);
    expect(ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^wrote toolgate\.yaml: /),
      err: expect.stringMatching(/^next: toolgate call /),
    });
    expect((await cli.run(["call", "read_file", '{"path":"toolgate.yaml"}'])).out).toBe(cli.text("toolgate.yaml"));
  });

  it("never overwrites", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", "# mine\n");
    const ended = await cli.run(["init"]);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toMatch(/^error `toolgate\.yaml` is there already and was left as it is\n {2}hint /);
    expect(cli.text("toolgate.yaml")).toBe("# mine\n");
  });

  it("writes where --config says, and names it with --json", async () => {
    using cli = openCli();
    const { code, out } = await invoked(cli, init, [], { flags: { config: "mine.yaml", json: true } });
    expect([code, out, cli.has("mine.yaml")]).toEqual([0, '{"written":"mine.yaml"}\n', true]);
  });

  it("takes no words", async () => {
    using cli = openCli();
    await expect(invoked(cli, init, ["here"])).rejects.toThrow(UsageError);
    expect(cli.has("toolgate.yaml")).toBe(false);
  });

  it("lets nobody outside the workspace be read, and nothing be written unasked", async () => {
    using cli = openCli();
    await invoked(cli, init);
    for (const [tool, input, code] of [
      ["read_file", '{"path":"/etc/passwd"}', 3],
      ["write_file", '{"path":"a","content":"x"}', 4],
      ["write_file", '{"path":"toolgate.yaml","content":"rules: []"}', 3],
      ["read_file", '{"path":".toolgate/ledger.key"}', 3],
    ] as const)
      expect((await invoked(cli, call, [tool, input], { flags: { "no-wait": true } })).code).toBe(code);
  });
});
