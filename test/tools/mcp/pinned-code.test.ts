import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { needs } from "../../support/parts.ts";
import { plainProgram } from "../../support/plain-program.ts";
import { asKind, codeOf, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

const RULES: readonly RuleSource[] = [
  { id: "all", effect: "allow" },
  { id: "run", effect: "allow", touch: { exec: ["**"] }, grant: { write: ["./**"] } },
];

/** A gate with the fixture as an upstream whose code is laid out in this way. */
function openCodeGate(up: JsonObject, files: Readonly<Record<string, string>>): ScratchGate {
  const scratch = openScratchGate({
    rules: RULES,
    config: { tools: { builtin: ["files", "shell"], mcp: { up } } },
  });
  for (const [path, text] of Object.entries(files)) scratch.put(path, text);
  // Read anew: which files an upstream is made of is found when the configuration is read.
  return Object.assign(scratch, { gate: scratch.again({ rules: RULES }) });
}

const echo = (gate: ScratchGate["gate"]) => gate.call({ tool: "up_echo", input: { text: "x" } });
const SERVER = plainProgram("upstream.ts");
const IMPORTING = 'import "./server.mjs";\n';

const LAYOUTS: readonly (readonly [string, JsonObject, Readonly<Record<string, string>>, attacked: string])[] = [
  ["a script", { command: "node", args: ["server.mjs"] }, { "server.mjs": SERVER }, "server.mjs"],
  [
    "what a script imports",
    { command: "node", args: ["start.mjs"] },
    { "start.mjs": IMPORTING, "server.mjs": SERVER },
    "server.mjs",
  ],
  [
    "a package of its own",
    { command: "node", args: ["tools/up/start.mjs"] },
    { "tools/up/package.json": "{}", "tools/up/start.mjs": IMPORTING, "tools/up/server.mjs": SERVER },
    "tools/up/server.mjs",
  ],
  [
    "a file that an option names",
    { command: "node", args: ["--import=./early.mjs", "server.mjs"] },
    { "early.mjs": "", "server.mjs": SERVER },
    "early.mjs",
  ],
];

needs(
  "bwrap",
  "prlimit",
  "node",
)("the code of an upstream", () => {
  it.each(LAYOUTS)("%s is closed to file tools and to programs", async (_, up, files, attacked) => {
    await using scratch = openCodeGate(up, files);
    expect(codeOf(await echo(scratch.gate))).toBe("completed");
    const before = scratch.text(attacked);
    for (const input of [
      { tool: "write_file", input: { path: attacked, content: "evil" } },
      { tool: "delete_file", input: { path: attacked } },
    ]) {
      const outcome = asKind(await scratch.gate.call(input), "refused");
      expect(outcome.refusal).toMatchObject({ code: "RULE_DENY", ruleId: "builtin:operator-code" });
    }
    scratch.put("attack.sh", `echo evil >> ${attacked}; mv ${attacked} x; rm -f ${attacked}; echo done`);
    const ran = asKind(
      await scratch.gate.call({ tool: "run_command", input: { command: "bash attack.sh" } }),
      "completed",
    );
    expect(JSON.stringify(ran.content)).toContain("done");
    expect(scratch.text(attacked)).toBe(before);
  });

  it.each(LAYOUTS)("%s that was changed holds it back until a person accepts it", async (_, up, files, attacked) => {
    await using scratch = openCodeGate(up, files);
    expect(codeOf(await echo(scratch.gate))).toBe("completed");
    await scratch.gate.close();
    scratch.put(attacked, `${scratch.text(attacked)}\n// changed`);
    const again = scratch.again();
    expect(codeOf(await echo(again))).toBe("TOOL_CHANGED");
    // Known also to who asks a second time, and nothing of it was started.
    const refused = JSON.stringify(await echo(again));
    expect(refused).toContain("toolgate mcp accept up");
    expect(refused).toContain(dirname(attacked) === "." ? attacked : "tools/up");
    const [seen] = again.upstreams.list();
    expect(seen?.code).toMatchObject([{ name: "up/code", heldBack: expect.stringContaining("changed") }]);
    expect(await again.upstreams.accept("up", seen?.code ?? [])).toEqual(["code"]);
    expect(codeOf(await echo(again))).toBe("completed");
  });

  it("changed back needs nobody's word", async () => {
    await using scratch = openCodeGate({ command: "node", args: ["server.mjs"] }, { "server.mjs": SERVER });
    expect(codeOf(await echo(scratch.gate))).toBe("completed");
    await scratch.gate.close();
    scratch.put("server.mjs", `${SERVER}\n// changed`);
    const again = scratch.again();
    expect(codeOf(await echo(again))).toBe("TOOL_CHANGED");
    scratch.put("server.mjs", SERVER);
    expect(codeOf(await echo(again))).toBe("completed");
  });

  it("is held back if what was pinned can't be read", async () => {
    await using scratch = openCodeGate({ command: "node", args: ["server.mjs"] }, { "server.mjs": SERVER });
    expect(codeOf(await echo(scratch.gate))).toBe("completed");
    await scratch.gate.close();
    writeFileSync(join(scratch.stateDir, "mcp/up.code.json"), "{");
    expect(codeOf(await echo(scratch.again()))).toBe("BAD_RESPONSE");
  });

  it("may have data beside it that it is let write, and that changes", async () => {
    const up = { command: "node", args: ["tools/server.mjs"], grant: { write: ["./tools/data/**"] } };
    await using scratch = openCodeGate(up, {
      "tools/server.mjs": SERVER,
      "tools/package.json": "{}",
      "tools/data/x": "1",
    });
    expect(codeOf(await echo(scratch.gate))).toBe("completed");
    await scratch.gate.close();
    scratch.put("tools/data/x", "2");
    const again = scratch.again();
    expect(codeOf(await echo(again))).toBe("completed");
    expect(codeOf(await again.call({ tool: "write_file", input: { path: "tools/data/y", content: "x" } }))).toBe(
      "completed",
    );
    expect(codeOf(await again.call({ tool: "write_file", input: { path: "tools/server.mjs", content: "x" } }))).toBe(
      "RULE_DENY",
    );
  });
});

describe("a package that npx starts", () => {
  it("is held back when it, or what npx would take in its place, has changed", async () => {
    await using scratch = openCodeGate({ command: "node", args: ["x"] }, {});
    const { operatorCodeHashes } = await import("../../../src/wiring/operator-code-hashes.ts");
    const hashes = operatorCodeHashes(scratch.workspace);
    const npx = { command: "npx", args: ["-y", "@acme/server@1.2.0", "./docs"], cwd: scratch.workspace, write: [] };
    const now = async () => JSON.stringify(await hashes(npx));
    scratch.put("docs/a.md");
    scratch.put("package.json", '{"name":"ws","scripts":{}}');
    let before = await now();
    const changes: readonly (readonly [string, string, boolean])[] = [
      ["package.json", '{"name":"ws","scripts":{"test":"x"}}', false],
      ["docs/a.md", "other", false],
      ["node_modules/@acme/other/index.js", "x", false],
      ["package.json", '{"name":"ws","bin":{"server":"./evil.js"}}', true],
      [".npmrc", "script-shell=./evil", true],
      ["node_modules/@acme/server/index.js", "evil()", true],
      ["node_modules/@acme/server/lib/deep.js", "evil()", true],
    ];
    for (const [path, text, isChange] of changes) {
      scratch.put(path, text);
      expect([path, (await now()) !== before]).toEqual([path, isChange]);
      before = await now();
    }
  });
});

it("does not take the name of an image for a file of the workspace", async () => {
  await using scratch = openCodeGate({ command: "docker", args: ["run", "-i", "mcp/server", "gone.mjs"] }, {});
  const write = (path: string) => scratch.gate.call({ tool: "write_file", input: { path, content: "x" } });
  expect(codeOf(await write("mcp/server"))).toBe("completed");
  expect(codeOf(await write("gone.mjs"))).toBe("RULE_DENY");
});

it("follows a link in the workspace to the file that is run", async () => {
  await using scratch = openCodeGate(
    { command: "node", args: ["x"] },
    { "real/server.py": "import helper\n", "real/helper.py": "" },
  );
  mkdirSync(join(scratch.workspace, "bin"));
  symlinkSync("../real/server.py", join(scratch.workspace, "bin/server.py"));
  const { operatorCodeHashes } = await import("../../../src/wiring/operator-code-hashes.ts");
  const program = { command: "python3", args: ["bin/server.py"], cwd: scratch.workspace, write: [] };
  const before = await operatorCodeHashes(scratch.workspace)(program);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["./real"]));
  scratch.put("real/helper.py", "evil()");
  expect(await operatorCodeHashes(scratch.workspace)(program)).not.toEqual(before);
});
