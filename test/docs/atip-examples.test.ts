import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { readMetadata } from "../../src/atip/read-metadata.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { checkDescription, checkTools } from "../../src/wiring/check-tools.ts";
import { needs, withSharedData } from "../support/parts.ts";
import { approves, codeOf, type GateParts, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const FOLDER = fileURLToPath(new URL("../../examples/atip", import.meta.url));
const read = (name: string): JsonObject => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as JsonObject;
const NAMES = readdirSync(FOLDER).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : []));
const sha256 = (name: string): string =>
  createHash("sha256")
    .update(readFileSync(realpathSync(`/usr/bin/${name}`)))
    .digest("hex");

/** A workspace in which this program may run: `rule` is what the rule says beside its tools. */
function open(name: string, rule: object, parts: GateParts = {}): ScratchGate {
  const entry = { file: join(FOLDER, `${name}.json`), trust: "org", sha256: sha256(name) };
  const rules = [{ id: "run", effect: "allow", tools: [name, `${name}_*`], ...rule }] as const;
  return openScratchGate({ ...parts, rules, config: { tools: { builtin: [], atip: [entry] } } });
}

const said = (outcome: Outcome): string =>
  "content" in outcome && outcome.content[0]?.type === "text" ? outcome.content[0].text : JSON.stringify(outcome);

describe("the descriptions in examples/atip", () => {
  it("are four", () => expect(NAMES.toSorted()).toEqual(["curl", "git", "jq", "tar"]));

  it.each(NAMES)("%s can be used, and nothing about it is doubtful", (name) => {
    const { definitions, problems } = checkDescription(read(name));
    expect(problems).toEqual([]);
    expect(checkTools(definitions)).toEqual([]);
    expect(readMetadata(read(name)).ok).toBe(true);
  });
});

withSharedData("atip")("by the published schema", (folder) => {
  it.each(NAMES)("%s is good", (name) => {
    const schema = JSON.parse(readFileSync(join(folder, "schema/0.6.json"), "utf8")) as JsonObject;
    const ajv = new Ajv.default({ strict: false, validateFormats: false });
    expect([ajv.validate(schema, read(name)), ajv.errors]).toEqual([true, null]);
  });
});

needs("bwrap", "jq")("jq", () => {
  it("filters a file", async () => {
    await using scratch = open("jq", {});
    scratch.put("a.json", '{"items":[{"name":"x"},{"name":"y"}]}');
    const input = { filter: ".items[].name", files: ["a.json"], "raw-output": true };
    expect(said(await scratch.gate.call({ tool: "jq", input }))).toBe("x\ny\n[Exit code: 0]");
    expect(said(await scratch.gate.call({ tool: "jq", input: { filter: ".", files: ["none.json"] } }))).toMatch(
      /none\.json[\s\S]*\[Exit code: 2\]$/,
    );
  });
});

needs("bwrap", "tar")("tar", () => {
  it("packs, lists and unpacks, when a person wants it", async () => {
    await using scratch = open("tar", { grant: { write: ["./**"] } }, { approver: approves });
    const tar = async (input: JsonObject) => said(await scratch.gate.call({ tool: "tar", input }));
    scratch.put("in/-odd", "content");
    scratch.put("out/keep", "");
    expect(await tar({ create: true, file: "a.tgz", gzip: true, paths: ["in"] })).toBe("[Exit code: 0]");
    expect(await tar({ list: true, file: "a.tgz", paths: [] })).toBe("in/\nin/-odd\n[Exit code: 0]");
    expect(await tar({ extract: true, file: "a.tgz", directory: "out" })).toBe("[Exit code: 0]");
    expect(scratch.text("out/in/-odd")).toBe("content");
  });

  it("is not run without one", async () => {
    await using scratch = open("tar", { grant: { write: ["./**"] } });
    const outcome = await scratch.gate.call(
      { tool: "tar", input: { list: true, file: "a.tgz" } },
      { whenAsked: "return" },
    );
    expect(codeOf(outcome)).toBe("pending");
  });
});

needs("bwrap", "git")("git", () => {
  it("records a change", async () => {
    await using scratch = open("git", { grant: { write: ["./**"] } });
    execFileSync("git", ["init", "-q", "-b", "main", scratch.workspace]);
    for (const [key, value] of [
      ["user.name", "Ann"],
      ["user.email", "ann@example.com"],
    ] as const)
      execFileSync("git", ["-C", scratch.workspace, "config", key, value]);
    scratch.put("-a.txt", "one\n");
    const git = async (command: string, input: JsonObject = {}) =>
      said(await scratch.gate.call({ tool: `git_${command}`, input }));
    expect(await git("status", { short: true })).toBe("?? -a.txt\n[Exit code: 0]");
    expect(await git("add", { paths: ["-a.txt"] })).toBe("[Exit code: 0]");
    expect(await git("diff", { staged: true, "name-only": true })).toBe("-a.txt\n[Exit code: 0]");
    expect(await git("commit", { message: "-m is no option here; $(touch evil)" })).toMatch(
      /1 file changed[\s\S]*\[Exit code: 0\]$/,
    );
    expect(await git("log", { oneline: true, "max-count": 1 })).toMatch(
      / -m is no option here; \$\(touch evil\)\n\[Exit code: 0\]$/,
    );
    expect(await git("branch", { "show-current": true })).toBe("main\n[Exit code: 0]");
    expect(await git("show", { revision: "--output=evil" })).toContain("option");
    expect(scratch.gate.tools().some(({ name }) => name === "git_branch")).toBe(true);
    const { decision, ruleId } = await scratch.gate.explain({ tool: "git_reset", input: { hard: true } });
    expect([decision, ruleId]).toEqual(["ask", "builtin:atip:git:destructive"]);
  });
});

needs("bwrap", "curl")("curl", () => {
  it("asks a server that a rule names, and no other, when a person wants it", async () => {
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ method: request.method, "x-a": request.headers["x-a"], agent: "y" }));
    });
    await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    try {
      const touch = { exec: ["curl **", "curl ** --header ** --data-raw **"], connect: [`127.0.0.1:${port}`] };
      await using scratch = open("curl", { touch }, { approver: approves });
      const input: JsonValue = {
        url: `http://127.0.0.1:${port}/x`,
        request: "POST",
        header: ["X-A: 1"],
        data: "a=b",
        silent: true,
      };
      expect(said(await scratch.gate.call({ tool: "curl", input }))).toBe(
        '{"method":"POST","x-a":"1","agent":"y"}\n[Exit code: 0]',
      );
      // What is sent can't be taken back.
      const { decision, ruleId } = await scratch.gate.explain({ tool: "curl", input });
      expect([decision, ruleId]).toEqual(["ask", "builtin:atip:curl:non-reversible"]);
      const other = await scratch.gate.call({ tool: "curl", input: { url: "https://example.com/" } });
      expect(codeOf(other)).toBe("DEFAULT_DENY");
      expect(codeOf(await scratch.gate.call({ tool: "curl", input: { url: "file:///etc/passwd" } }))).toBe(
        "DEFAULT_DENY",
      );
    } finally {
      server.close();
    }
  });
});
