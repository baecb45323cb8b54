import { Buffer } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShownPlan } from "../../src/domain/question.ts";
import type { Progress } from "../../src/domain/tool.ts";
import type { Approver } from "../../src/ports/desk.ts";
import { makeTool } from "../../src/tools/make-tool.ts";
import { ENCODINGS } from "../redact/leaks.ts";
import { actingTool } from "../support/acting-tool.ts";
import { ALLOW_ALL, ASK_ALL, asKind, type GateParts, openScratchGate } from "../support/scratch-gate.ts";

const SECRET = "Tr0ub4dor&3/+xyz";
const open = (parts: GateParts = {}) =>
  openScratchGate({ config: { secrets: [{ env: "KEY" }] }, variables: { KEY: SECRET }, ...parts });

/** Every byte below a folder. */
const bytesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");

const forms = ENCODINGS.map(({ encode }) => encode("", SECRET, "").own);

function expectNoSecretIn(text: string): void {
  for (const form of forms) expect(text.includes(form), form).toBe(false);
}

describe("A21: a secret that a file holds", () => {
  it("is in no outcome, entry, row, checkpoint or blob, in whatever form", async () => {
    await using scratch = open();
    const all = ENCODINGS.map(({ encode }) => encode("<", SECRET, ">").text).join("\n");
    scratch.put("a.txt", all);
    scratch.put("big.txt", `${all}\n`.repeat(8000));
    scratch.put("a.bin", Buffer.concat([Buffer.from([0, 255]), Buffer.from(SECRET)]));
    const { gate } = scratch;
    const outcomes = [
      await gate.call({ tool: "read_file", input: { path: "a.txt" } }),
      await gate.call({ tool: "read_file", input: { path: "big.txt" } }),
      await gate.call({ tool: "read_file", input: { path: "a.bin" } }),
      await gate.call({ tool: "read_file", input: { path: `../${SECRET}` } }),
      await gate.call({ tool: "read_file", input: { path: `${"x".repeat(190)}${SECRET}/b` } }),
      await gate.call({ tool: `${"t".repeat(70)}${SECRET}`, input: {} }),
      await gate.call({ tool: `${"t".repeat(250)}${SECRET}`, input: {} }),
      await gate.call({ tool: "write_file", input: { path: "copy.txt", content: `a ${SECRET} b` } }),
      await gate.call({
        tool: "edit_file",
        input: { path: "copy.txt", edits: [{ type: "replace", oldText: "a ", newText: `${SECRET} ` }] },
      }),
      await gate.call({ tool: "read_file", input: { path: 5, [SECRET]: SECRET } }),
      await gate.call({ tool: "list_directory", input: { path: "." }, actor: SECRET }),
    ];
    const explained = [
      await gate.explain({ tool: "write_file", input: { path: SECRET, content: SECRET } }),
      await gate.explain({ tool: SECRET, input: {} }),
    ];
    await gate.close();
    expect(outcomes.map(({ kind }) => kind)).toContain("completed");
    expectNoSecretIn(JSON.stringify([outcomes, explained]));
    expect(JSON.stringify(outcomes)).toContain("[REDACTED:KEY]");
    expectNoSecretIn(bytesBelow(scratch.stateDir));
    expect(readdirSync(scratch.stateDir)).toContain("blobs");
    // No part of it where a message or a name was cut either.
    for (const text of [JSON.stringify(outcomes), bytesBelow(scratch.stateDir)])
      expect(text.includes(SECRET.slice(0, 8))).toBe(false);
    // The file has what the caller wrote.
    expect(scratch.text("copy.txt")).toBe(`${SECRET} ${SECRET} b`);
  });

  it("is written as it is, and its marker is never written back", async () => {
    await using scratch = open();
    const { gate } = scratch;
    await gate.call({ tool: "write_file", input: { path: "a", content: SECRET } });
    expect(scratch.text("a")).toBe(SECRET);
    const read = asKind(await gate.call({ tool: "read_file", input: { path: "a" } }), "completed");
    expect(read.content).toEqual([{ type: "text", text: "[REDACTED:KEY]" }]);
    const back = await gate.call({ tool: "write_file", input: { path: "a", content: "[REDACTED:KEY]" } });
    expect(asKind(back, "refused").refusal.code).toBe("REDACTED_CONTENT");
  });

  it("is not in what is told while a tool runs, at whatever border it is cut", async () => {
    for (let at = 1; at < SECRET.length; at++) {
      const told: Progress[] = [];
      const tool = makeTool({
        definition: {
          name: "talk",
          description: "talks",
          source: "function",
          containment: "process",
          inputSchema: { type: "object" },
          timeoutMs: 1000,
        },
        plan: () => ({ kind: "drafted", plan: { touches: [{ kind: "unknown", reason: SECRET }], operands: [] } }),
        async *run() {
          yield { message: `see ${SECRET.slice(0, at)}`, done: 1, total: 2, extra: SECRET } as Progress;
          yield { message: `${SECRET.slice(at)} end`, done: 2, total: 2 };
          return { kind: "completed", content: [] };
        },
      });
      await using scratch = open({ tools: [tool], rules: [{ id: "u", effect: "allow", touch: { unknown: true } }] });
      await scratch.gate.call({ tool: "talk", input: {} }, { onProgress: (progress) => told.push(progress) });
      const text = told.map(({ message }) => message).join("");
      expect(text).toMatch(/^see .{0,5}\[REDACTED:KEY\] end$/);
      expect(told.at(-1)).toMatchObject({ done: 2, total: 2 });
      expect(JSON.stringify(told)).not.toContain(SECRET);
      expect(JSON.stringify(scratch.entries())).not.toContain(SECRET);
    }
  });

  it("is shown by name to whoever is asked, and an answer that holds it is recorded without", async () => {
    const seen: ShownPlan[] = [];
    const approver: Approver = {
      ask: async (question) => {
        seen.push(question);
        return { kind: "reject", who: SECRET, reason: `because ${SECRET}` };
      },
    };
    await using scratch = open({ rules: ASK_ALL, approver });
    const outcome = await scratch.gate.call({ tool: "write_file", input: { path: "a", content: SECRET } });
    expect(seen[0]?.plan.input).toEqual({ path: "a", content: "[REDACTED:KEY]" });
    expect(asKind(outcome, "refused").refusal.message).toBe("[REDACTED:KEY] said no: because [REDACTED:KEY]");
    expectNoSecretIn(JSON.stringify(scratch.entries()));
  });

  it("does not change what is run: digests are of the real input, and the same with and without", async () => {
    await using scratch = open();
    await using plain = openScratchGate();
    const input = { path: "a", content: SECRET };
    const [with_, without] = [
      await scratch.gate.call({ tool: "write_file", input }),
      await plain.gate.call({ tool: "write_file", input }),
    ];
    const digests = (from: typeof scratch, callId: string) => from.entries(callId)[0]?.body["inputDigest"];
    expect(digests(scratch, with_.callId)).toBe(digests(plain, without.callId));
  });
});

it("A53: what a tool says goes through the same redaction and the same limit", async () => {
  await using scratch = open({
    tools: ({ workspace }) => [actingTool(workspace, { act: () => `${SECRET}${"x".repeat(2_000_000)}` }).tool],
  });
  const outcome = asKind(await scratch.gate.call({ tool: "act", input: {} }), "completed");
  expect(JSON.stringify(outcome).length).toBeLessThan(1_100_000);
  const { blob = null } = outcome.truncated ?? {};
  const found = await scratch.gate.blobs.get(blob ?? "");
  if (!found.ok) throw new Error(found.fault.message);
  const whole = Buffer.concat(await Array.fromAsync(found.value.chunks())).toString();
  expect(whole).toBe(`[REDACTED:KEY]${"x".repeat(2_000_000)}`);
});

it("a blob from before a secret was named comes out without it", async () => {
  await using scratch = openScratchGate({
    tools: ({ workspace }) => [actingTool(workspace, { act: () => `${"x".repeat(2_000_000)}${SECRET}` }).tool],
  });
  const { truncated } = asKind(await scratch.gate.call({ tool: "act", input: {} }), "completed");
  await using later = open();
  const gate = later.again({ stateDir: scratch.stateDir });
  const found = await gate.blobs.get(truncated?.blob ?? "");
  if (!found.ok) throw new Error(found.fault.message);
  expectNoSecretIn(Buffer.concat(await Array.fromAsync(found.value.chunks())).toString("latin1"));
});

it("F23: all sequences of one and two bytes come back without loss", async () => {
  await using scratch = open();
  const all = Buffer.from(Array.from({ length: 65_536 }, (_, index) => [index >> 8, index & 255]).flat());
  const parts = [all, Buffer.from("é\r\nü\n"), Buffer.from([0xff]), Buffer.from("a\0b"), Buffer.from([0xc3])];
  for (const part of parts) {
    scratch.put("f", part);
    const [item] = asKind(await scratch.gate.call({ tool: "read_file", input: { path: "f" } }), "completed").content;
    const back =
      item?.type === "text"
        ? Buffer.from(item.text)
        : Buffer.from(item?.type === "resource" ? (item.blob ?? "") : "", "base64");
    expect(back.equals(part)).toBe(true);
  }
});

it("errors name paths of the workspace only as the workspace knows them", async () => {
  await using scratch = open({
    rules: [...ALLOW_ALL, { id: "no", effect: "deny", touch: { read: ["./no/**"] } }],
    tools: ({ workspace }) => [
      makeTool({
        definition: {
          name: "tells",
          description: "d",
          source: "function",
          containment: "process",
          inputSchema: { type: "object" },
          timeoutMs: 1000,
        },
        plan: () => ({
          kind: "drafted",
          plan: { touches: [{ kind: "read", path: join(workspace, "a") }], operands: [] },
        }),
        async *run({ input }) {
          const message = `ENOENT: no such file, open '${workspace}/${String(input["path"])}' in ${workspace}`;
          return {
            kind: "failed",
            error: { code: "IO_ERROR", message, retryable: false, detail: [message] },
            content: [],
          };
        },
      }),
    ],
  });
  scratch.put("a/b.txt");
  scratch.put("no/x.txt");
  const someName = fc.constantFrom(
    "a",
    "b.txt",
    "no",
    "x.txt",
    "..",
    ".",
    "\0",
    "ü",
    "toolgate.yaml",
    "state",
    "etc",
    "",
  );
  const somePath = fc
    .tuple(
      fc.constantFrom("", "/", `${scratch.workspace}/`, `${scratch.folder}/`),
      fc.array(someName, { maxLength: 5 }),
    )
    .map(([start, names]) => start + names.join("/"));
  const someTool = fc.constantFrom(
    "read_file",
    "write_file",
    "edit_file",
    "delete_file",
    "list_directory",
    "tells",
    "nothing",
  );
  await fc.assert(
    fc.asyncProperty(someTool, somePath, async (tool, path) => {
      const input = {
        path,
        ...(tool === "write_file" && { content: "x" }),
        ...(tool === "edit_file" && { edits: [{ type: "replace", oldText: "q", newText: "r" }] }),
      };
      const outcome = await scratch.gate.call({ tool, input });
      if (outcome.kind === "completed") return;
      expect(JSON.stringify(outcome)).not.toContain(scratch.folder);
    }),
    { numRuns: 150 },
  );
});
