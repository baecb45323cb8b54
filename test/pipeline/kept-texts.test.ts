import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/domain/canonical-json.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Blobs } from "../../src/ports/blobs.ts";
import { BlobFiles } from "../../src/store/blobs/blob-files.ts";
import { actingTool } from "../support/acting-tool.ts";
import {
  ALLOW_ALL,
  ASK_ALL,
  approves,
  asKind,
  codeOf,
  type GateParts,
  openScratchGate,
} from "../support/scratch-gate.ts";

const KEY = "a-key-of-the-operator";

const open = (parts: GateParts = {}) =>
  openScratchGate({
    variables: { KEY },
    tools: ({ workspace }) => [actingTool(workspace, { act: () => `it is ${KEY}` }).tool],
    ...parts,
    config: { secrets: [{ env: "KEY" }], ledger: { keep: "texts" }, ...parts.config },
  });

type Scratch = ReturnType<typeof open>;

async function readBlob(scratch: Scratch, hash: unknown): Promise<string> {
  const found = await scratch.gate.blobs.get(String(hash));
  if (!found.ok) throw new Error(found.fault.message);
  return text(found.value.chunks());
}

const bodyOf = (scratch: Scratch, callId: string, kind: string): JsonObject =>
  scratch.entries(callId).find((entry) => entry.kind === kind)?.body ?? {};

describe("the texts of calls", () => {
  it("are kept without secrets, and named by the entries that have their digests", async () => {
    await using scratch = open({ rules: ALLOW_ALL });
    const { callId } = asKind(
      await scratch.gate.call({ tool: "act", input: { n: 1, b: `${KEY}!`, a: [null] } }),
      "completed",
    );
    const input = await readBlob(scratch, bodyOf(scratch, callId, "tool.requested")["inputBlob"]);
    expect(input).toBe(canonicalJson({ a: [null], b: "[REDACTED:KEY]!", n: 1 }));
    const { resultBlob, resultDigest } = bodyOf(scratch, callId, "tool.executed");
    const result = await readBlob(scratch, resultBlob);
    expect(digestOfText(result)).toBe(resultDigest);
    expect(JSON.parse(result)).toMatchObject({ content: [{ type: "text", text: "it is [REDACTED:KEY]" }] });
    expect(await scratch.gate.blobs.collect("look")).toMatchObject({ kept: 2, removed: 0 });
    expect(await scratch.gate.ledger.verify()).toMatchObject({ ok: true });
  });

  it("of a call that is asked about are kept once, and of one that is refused as well", async () => {
    await using scratch = open({ rules: ASK_ALL, approver: approves });
    const asked = asKind(await scratch.gate.call({ tool: "act", input: { n: 1 } }), "completed");
    expect(scratch.entries(asked.callId).filter(({ body }) => body["inputBlob"] !== undefined)).toHaveLength(1);
    expect(bodyOf(scratch, asked.callId, "tool.executed")["resultBlob"]).toBeTypeOf("string");
    const refused = asKind(await scratch.gate.call({ tool: "act", input: { n: "no number" } }), "refused");
    const { inputBlob } = bodyOf(scratch, refused.callId, "tool.requested");
    expect(await readBlob(scratch, inputBlob)).toBe('{"n":"no number"}');
  });

  it("are no texts where the arguments are no JSON", async () => {
    await using scratch = open({ rules: ALLOW_ALL });
    const refused = asKind(await scratch.gate.call({ tool: "act", input: { n: "\ud800" } }), "refused");
    expect(bodyOf(scratch, refused.callId, "tool.requested")).toMatchObject({ inputDigest: null });
    expect(bodyOf(scratch, refused.callId, "tool.requested")).not.toHaveProperty("inputBlob");
  });

  it("are not kept unless somebody wants them", async () => {
    await using scratch = open({ rules: ALLOW_ALL, config: { ledger: {} } });
    expect(codeOf(await scratch.gate.call({ tool: "act", input: {} }))).toBe("completed");
    expect(existsSync(join(scratch.stateDir, "blobs"))).toBe(false);
  });
});

describe("where there is no room", () => {
  /** The first `room` contents are kept. */
  function tight(stateDir: string, room: number): Blobs {
    const files = new BlobFiles(stateDir);
    let left = room;
    return {
      get: (...given) => files.get(...given),
      put: async (...given) =>
        left-- > 0 ? files.put(...given) : { ok: false, fault: { code: "STORAGE_FULL", message: "no room" } },
    };
  }

  it.each([ALLOW_ALL, ASK_ALL])(
    "nothing runs whose arguments can't be kept, and the ledger tells so",
    async (...rules) => {
      await using scratch = open();
      const acting = actingTool(scratch.workspace);
      const gate = scratch.again({
        rules,
        approver: approves,
        tools: [acting.tool],
        config: { ledger: { keep: "texts" } },
        inner: { blobs: tight(scratch.stateDir, 0) },
      });
      const refused = asKind(await gate.call({ tool: "act", input: {} }), "refused");
      expect([refused.refusal.code, acting.ran()]).toEqual(["STORAGE_FULL", 0]);
      expect(bodyOf(scratch, refused.callId, "tool.decided")).toMatchObject({ code: "STORAGE_FULL", decision: "deny" });
    },
  );

  it("what ran has run, although its result can't be kept", async () => {
    await using scratch = open();
    const gate = scratch.again({
      rules: ALLOW_ALL,
      tools: [actingTool(scratch.workspace).tool],
      config: { ledger: { keep: "texts" } },
      inner: { blobs: tight(scratch.stateDir, 1) },
    });
    const { callId } = asKind(await gate.call({ tool: "act", input: {} }), "completed");
    expect(bodyOf(scratch, callId, "tool.executed")).not.toHaveProperty("resultBlob");
    expect(bodyOf(scratch, callId, "tool.executed")).toMatchObject({ resultDigest: expect.any(String) });
  });
});
