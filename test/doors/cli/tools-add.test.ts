import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { tools } from "../../../src/doors/cli/tools.ts";
import { metadata } from "../../atip/some-metadata.ts";
import { needs } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";
import { invoked } from "./invoked.ts";

const CONFIG = '# mine\nrules: # none yet\n  - { id: run, effect: allow, touch: { exec: ["cat **"] } }\n';
const SHA256 = createHash("sha256")
  .update(readFileSync(realpathSync("/usr/bin/cat")))
  .digest("hex");

const cat = (more: JsonObject = {}): string =>
  JSON.stringify(
    metadata({
      name: "cat",
      commands: {
        "": {
          description: "Prints files one after the other",
          arguments: [{ name: "files", type: "file", variadic: true, description: "which ones" }],
          effects: { destructive: false, reversible: true, network: false, filesystem: { write: false } },
        },
      },
      authentication: { methods: [{ type: "token", envVar: "CAT_TOKEN" }] },
      ...more,
    }),
  );

needs("cat", "bwrap")("toolgate tools add", () => {
  it("shows what it would add, and adds nothing unasked", async () => {
    using cli = openCli(CONFIG);
    cli.put("cat.json", cat());
    const { code, out, err } = await invoked(cli, tools, ["add", "cat"], { flags: { from: "cat.json" } });
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(SHA256);
    expect(err).toContain("trust        user, program verified");
    expect(err).toContain("commands     1: 0 denied and 1 asked about");
    expect(err).toContain("CAT_TOKEN");
    expect(err).toContain("nothing was written");
    expect(cli.text("toolgate.yaml")).toBe(CONFIG);
  });

  it("adds what a file describes, keeps every comment, and the tool runs", async () => {
    using cli = openCli(CONFIG);
    cli.put("cat.json", cat());
    cli.put("a.txt", "hello\n");
    const added = await invoked(cli, tools, ["add", "cat"], { flags: { from: "cat.json", trust: "org", yes: true } });
    expect([added.code, added.out]).toEqual([0, "added 1 tools of cat\n"]);
    expect(cli.text("toolgate.yaml")).toBe(
      `${CONFIG}\ntools:\n  atip:\n    - { file: "cat.json", trust: "org", sha256: "${SHA256}" }\n`,
    );
    // Accepted with the answer: no `trust` needed.
    const outcome = (await cli.json(["call", "cat", '{"files":["a.txt"]}'])) as JsonObject;
    expect(outcome).toMatchObject({ kind: "completed", content: [{ text: "hello\n[Exit code: 0]" }] });
    const again = await invoked(cli, tools, ["add", "cat"], { flags: { from: "cat.json", yes: true, json: true } });
    expect(JSON.parse(again.out)).toMatchObject({
      added: true,
      trust: "user",
      entry: { file: "cat.json", sha256: SHA256 },
    });
    expect(cli.text("toolgate.yaml").match(/cat\.json/g)).toHaveLength(1);
  });

  it("adds what the program has said of itself, asked or remembered", async () => {
    using cli = openCli(CONFIG);
    mkdirSync(join(cli.stateDir, "probes"), { recursive: true });
    writeFileSync(join(cli.stateDir, "probes", `${SHA256}.json`), JSON.stringify({ at: Date.now(), text: cat() }));
    const { code, err } = await invoked(cli, tools, ["add", "cat"], { flags: { yes: true } });
    expect([code, err.includes("cat.atip.json")]).toEqual([0, true]);
    expect(JSON.parse(cli.text("cat.atip.json"))).toMatchObject({ name: "cat" });
    expect(await cli.json(["tools"])).toContainEqual(expect.objectContaining({ name: "cat", source: "atip" }));
  });

  it.each<[string, readonly string[], object, string]>([
    ["no program", [], {}, "no program is named"],
    ["one that is not there", ["no-such-program"], {}, "there is no program `no-such-program`"],
    ["a path", ["/usr/bin/cat"], {}, "there is no program"],
    ["one that does not describe itself", ["cat"], {}, "does not describe itself"],
    ["a file that is not there", ["cat"], { from: "gone.json" }, "there is no such file"],
    ["a file of another program", ["cat"], { from: "other.json" }, "is of `other`, and not of `cat`"],
    ["a file with a mistake", ["cat"], { from: "bad.json" }, "`effects.network` has to be true or false"],
    ["a file that is no JSON", ["cat"], { from: "toolgate.yaml" }, "is no JSON"],
    ["another trust", ["cat"], { from: "cat.json", trust: "native" }, "`native` is no trust"],
  ])("refuses %s", async (_, words, flags, message) => {
    using cli = openCli(CONFIG);
    cli.put("cat.json", cat());
    cli.put("other.json", cat({ name: "other" }));
    cli.put("bad.json", cat({ effects: { network: 1 } }));
    await expect(invoked(cli, tools, ["add", ...words], { flags: { ...flags } })).rejects.toThrow(message);
    expect(cli.text("toolgate.yaml")).toBe(CONFIG);
  });
});

it("toolgate tools check: a description", async () => {
  using cli = openCli(CONFIG);
  cli.put("cat.json", cat());
  cli.put("bad.json", cat({ effects: { network: 1 } }));
  const good = await invoked(cli, tools, ["check", "cat.json"]);
  expect([good.code, good.out]).toEqual([0, "good 1 tools, 0 errors, 0 warnings\n"]);
  const bad = await invoked(cli, tools, ["check", "bad.json"], { flags: { json: true } });
  expect([bad.code, JSON.parse(bad.out).problems]).toEqual([
    1,
    [
      {
        tool: "cat",
        level: "error",
        field: "effects.network",
        rule: "atip",
        message: "has to be true or false, and is `1`",
      },
    ],
  ]);
});
