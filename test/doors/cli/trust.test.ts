import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../src/doors/cli/call.ts";
import { trust } from "../../../src/doors/cli/trust.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

const READ = ["read_file", '{"path":"a"}'];

/** A config that came with the workspace, and nobody has accepted. */
function found() {
  const cli = openCli();
  cli.put("toolgate.yaml", CONFIG);
  cli.put("a");
  return cli;
}

describe("a config that was only found", () => {
  it("takes no effect before it is accepted, and again after it changed", async () => {
    using cli = found();
    const refused = await cli.run(["call", ...READ]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toMatch(
      /^refused CONFIG_UNTRUSTED `toolgate\.yaml` was found[\s\S]*hint read it, then accept it with `toolgate trust`/,
    );
    expect(await cli.run(["trust", "--yes"])).toMatchObject({ code: 0, out: "trusted\n", err: `${CONFIG}\n` });
    expect((await cli.run(["call", ...READ])).code).toBe(0);
    appendFileSync(join(cli.workspace, "toolgate.yaml"), "# one more line\n");
    expect((await invoked(cli, call, READ)).err).toContain("CONFIG_UNTRUSTED");
  });

  it("is refused for every command that uses it, in JSON too", async () => {
    using cli = found();
    for (const args of [["call", ...READ], ["explain", ...READ], ["tools"], ["ledger", "show"], ["ledger", "verify"]]) {
      const ended = await cli.run([...args, "--json"]);
      expect([args[0], ended.code]).toEqual([args[0], 3]);
      expect(JSON.parse(ended.out)).toMatchObject({ kind: "refused", refusal: { code: "CONFIG_UNTRUSTED" } });
    }
    expect(cli.has(".toolgate")).toBe(false);
  });

  it("takes effect where a person names it", async () => {
    using cli = found();
    expect((await invoked(cli, call, READ, { flags: { config: "toolgate.yaml" } })).code).toBe(0);
  });
});

describe("toolgate trust", () => {
  it.each<[string, string | null, number]>([
    ["y", "y", 0],
    ["YES", " YES ", 0],
    ["n", "n", 3],
    ["nothing", "", 3],
    ["yep", "yep", 3],
    ["a closed terminal", null, 3],
  ])("shows the config and asks: %s", async (_, answer, code) => {
    using cli = found();
    const ended = await invoked(cli, trust, [], { answers: [answer] });
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(CONFIG);
    expect(ended.err).toContain("accept toolgate.yaml as it is now? [y/N] ");
    expect((await invoked(cli, call, READ)).code).toBe(code === 0 ? 0 : 3);
  });

  it("accepts what `always` has added as well, each shown and asked about by itself", async () => {
    using cli = found();
    const always = "rules:\n  - { id: always-1, effect: allow, touch: { read: [./b] } }\n";
    cli.put(".toolgate/always.yaml", always);
    const both = await invoked(cli, trust, [], { answers: ["y", "y"] });
    expect([both.code, both.out]).toEqual([0, "trusted\n"]);
    expect(both.err).toBe(
      `${CONFIG}\naccept toolgate.yaml as it is now? [y/N] ${always}\naccept .toolgate/always.yaml as it is now? [y/N] `,
    );
    expect((await invoked(cli, call, READ)).err).not.toContain("CONFIG_UNTRUSTED");
  });

  it("one yes of two is not enough, and what is missing is named with the way to accept it", async () => {
    using cli = found();
    cli.put(".toolgate/always.yaml", "rules: []\n");
    expect((await invoked(cli, trust, [], { answers: ["y", "n"] })).code).toBe(3);
    const { err } = await invoked(cli, call, READ, { flags: { config: "toolgate.yaml" } });
    expect(err).toMatch(/`\.toolgate\/always\.yaml` was found/);
    expect(err).toMatch(/hint read it, then accept it with `toolgate trust`\n$/);
  });

  it("asks nobody where there is no terminal", async () => {
    using cli = found();
    expect(await cli.run(["trust"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("accepting needs a person at a terminal"),
    });
  });

  it("accepts the file that --config names, for good", async () => {
    using cli = found();
    expect((await invoked(cli, trust, [], { flags: { config: "toolgate.yaml", yes: true } })).code).toBe(0);
    expect((await invoked(cli, call, READ)).code).toBe(0);
  });

  it("takes no words: a file that is named so would not be the one accepted", async () => {
    using cli = found();
    cli.put("other/toolgate.yaml", CONFIG);
    await expect(invoked(cli, trust, ["other/toolgate.yaml"], { flags: { yes: true } })).rejects.toThrow(
      "one word too many",
    );
    expect((await invoked(cli, call, READ)).code).toBe(3);
  });

  it("shows what acts on a terminal instead of obeying it", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", "# \u202e\u200b\nrules: []\n");
    expect((await invoked(cli, trust, [], { flags: { yes: true } })).err).toBe("# \\u{202e}\\u{200b}\nrules: []\n\n");
  });

  it("says nothing new of what is trusted already", async () => {
    using cli = openCli(CONFIG);
    expect(await invoked(cli, trust, [], { flags: { json: true } })).toEqual({
      code: 0,
      out: '{"trusted":true}\n',
      err: "",
    });
  });

  it("refuses a config that does not load", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", "rulez: []\n");
    expect(await invoked(cli, trust, [], { flags: { yes: true } })).toMatchObject({
      code: 3,
      err: expect.stringContaining("toolgate.yaml:1:1"),
    });
  });

  it("has nothing to accept where there is none", async () => {
    using cli = openCli();
    await expect(invoked(cli, trust)).rejects.toThrow("there is no `toolgate.yaml` here");
  });
});
