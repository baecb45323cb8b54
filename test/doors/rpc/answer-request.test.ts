import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  answerToolRequest,
  decodeToolResponse,
  encodeToolRequest,
  type ToolRequest,
} from "../../../src/doors/rpc/index.ts";
import type { LeaseSource } from "../../../src/wiring/gate.ts";
import { request, tool } from "../../formats/apm2/requests.ts";
import { openFakeProvider } from "../../formats/fake-provider.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL, type GateParts, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

const EVERYTHING: LeaseSource = {
  tools: "everything",
  read: "everything",
  write: "everything",
  commands: "everything",
  hosts: "everything",
  models: "everything",
};

async function open(parts: GateParts = {}, lease: LeaseSource = EVERYTHING) {
  const scratch = openScratchGate({ rules: ALLOW_ALL, ...parts });
  const opened = await scratch.gate.sessions.open(lease);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { token } = opened;
  const send = async (asked: ToolRequest["tool"], head: Partial<ToolRequest> = {}) => {
    const bytes = encodeToolRequest(request(asked, { session_token: token, ...head }));
    return decodeToolResponse(await answerToolRequest(scratch.gate, bytes, { from: "a test" }));
  };
  /** Keeps content for the session. */
  const put = async (content: string) => {
    const { session } = opened;
    const stored = await scratch.gate.blobs.put(oneChunk(content), { actor: `session:${session.id}`, session });
    return stored.kind === "stored" ? stored.hash : JSON.stringify(stored);
  };
  return { scratch, send, put, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

type Response = Awaited<ReturnType<Awaited<ReturnType<typeof open>>["send"]>>;
function success({ result }: Response) {
  if (result?.kind !== "success") throw new Error(JSON.stringify(result, (_, value) => String(value)));
  return result.value;
}
const code = ({ result }: Response): unknown =>
  result?.kind === "denied"
    ? [result.value.rule_id, result.value.rationale_code]
    : result?.kind === "error"
      ? result.value.error_code
      : result?.kind;

const kinds = ({ entries }: ScratchGate): readonly string[] => entries().map(({ kind }) => kind);

describe("file requests", () => {
  it("read, write and edit files, each with its hash, its cost and its own id", async () => {
    await using opened = await open();
    const { scratch, send } = opened;
    scratch.put("a.txt", "one two");
    const read = await send(tool("file_read", { path: "a.txt" }), { request_id: "req-7" });
    expect(read.request_id).toBe("req-7");
    const { result_hash, inline_result, budget_consumed } = success(read);
    expect([text(inline_result), result_hash.length, budget_consumed]).toEqual(["one two", 32, 1n]);
    const part = await send(tool("file_read", { path: "a.txt", offset: 4n, limit: 2n }));
    expect(text(success(part).inline_result)).toBe("tw");
    // CTR-0004: more than can be read at once is all of it.
    expect(text(success(await send(tool("file_read", { path: "a.txt", limit: 2n ** 30n }))).inline_result)).toBe(
      "one two",
    );

    success(await send(tool("file_write", { path: "b.txt", content: Buffer.from("\ufeffx") })));
    expect(scratch.text("b.txt")).toBe("\ufeffx");
    success(await send(tool("file_write", { path: "b.txt", content: Buffer.from("y"), append: true })));
    expect(scratch.text("b.txt")).toBe("\ufeffxy");
    expect(code(await send(tool("file_write", { path: "b.txt", create_only: true })))).toBe("FILE_EXISTS");
    expect(code(await send(tool("file_write", { path: "no/such/b.txt" })))).toBe("FILE_NOT_FOUND");
    success(await send(tool("file_edit", { path: "a.txt", old_content: "two", new_content: "three" })));
    expect(scratch.text("a.txt")).toBe("one three");
    expect(code(await send(tool("file_edit", { path: "a.txt", old_content: "e", new_content: "" })))).toBe(
      "MULTIPLE_MATCHES",
    );
    expect(code(await send(tool("file_read", { path: "a.txt", offset: 99n })))).toBe("INVALID_OFFSET");
  });

  it("are the bytes of the file, also where they are no text, and none is a hash too", async () => {
    await using opened = await open();
    const bytes = Uint8Array.of(0, 255, 128, 7);
    opened.scratch.put("a.bin", bytes);
    opened.scratch.put("empty", "");
    expect(Uint8Array.from(success(await opened.send(tool("file_read", { path: "a.bin" }))).inline_result)).toEqual(
      bytes,
    );
    const empty = success(await opened.send(tool("file_read", { path: "empty" })));
    // BLAKE3 of nothing.
    expect(Buffer.from(empty.result_hash).toString("hex")).toMatch(/^af1349b9f5f9a1a6/);
    expect(empty.inline_result).toHaveLength(0);
    const long = Uint8Array.from({ length: 100_000 }, (_, index) => index);
    success(await opened.send(tool("file_write", { path: "long.bin", content: long })));
    expect(Uint8Array.from(success(await opened.send(tool("file_read", { path: "long.bin" }))).inline_result)).toEqual(
      long,
    );
    success(await opened.send(tool("file_write", { path: "b.bin", content: bytes })));
    expect(Uint8Array.from(success(await opened.send(tool("file_read", { path: "b.bin" }))).inline_result)).toEqual(
      bytes,
    );
  });

  it("are kept as a blob where they are long (CTR-0024)", async () => {
    await using opened = await open();
    const long = "0123456789abcdef".repeat(100_000);
    opened.scratch.put("long.txt", long);
    const { result_hash, inline_result } = success(await opened.send(tool("file_read", { path: "long.txt" })));
    expect(inline_result).toHaveLength(0);
    const found = await opened.scratch.gate.blobs.get(Buffer.from(result_hash).toString("hex"));
    if (!found.ok) throw new Error(found.fault.message);
    expect(Buffer.concat(await Array.fromAsync(found.value.chunks())).toString()).toBe(long);
  });
});

describe("requests about artifacts", () => {
  const ARTIFACTS: GateParts = {
    config: { tools: { builtin: ["artifacts"] } },
    rules: [{ id: "artifacts", effect: "allow", touch: { tool: ["publish_artifact", "fetch_artifact"] } }],
  };

  it("publish what the session has stored, for good, and fetch it with its own hash", async () => {
    await using opened = await open(ARTIFACTS);
    const { send, put } = opened;
    const content_hash = Buffer.from(await put("<ok/>"), "hex");
    const metadata = ["format=junit", "suite=integration"];
    const asked = tool("artifact_publish", { artifact_id: "t-1", content_hash, category: "test_results", metadata });
    const published = success(await send(asked));
    expect(text(published.inline_result)).toMatch(/^Published `t-1` \(5 bytes, /);
    expect(published.budget_consumed).toBe(1n);
    for (const value of [
      { stable_id: "t-1", expected_hash: content_hash },
      { stable_id: "", content_hash },
    ]) {
      const fetched = success(await send(tool("artifact_fetch", { ...value, max_bytes: 5n })));
      expect(text(fetched.inline_result)).toBe("<ok/>");
      expect(Buffer.from(fetched.result_hash)).toEqual(content_hash);
    }
    expect(code(await send(tool("artifact_fetch", { stable_id: "t-1", max_bytes: 4n })))).toBe("BLOB_TOO_LARGE");
    expect(code(await send(tool("artifact_fetch", { stable_id: "t-2" })))).toBe("ARTIFACT_UNKNOWN");
    const other = Buffer.from(await put("other"), "hex");
    expect(code(await send(tool("artifact_publish", { artifact_id: "t-1", content_hash: other })))).toBe(
      "ARTIFACT_EXISTS",
    );
  });

  it("need content in the store (CTR-0020), which is the session's own", async () => {
    await using opened = await open(ARTIFACTS);
    expect(code(await opened.send(tool("artifact_publish")))).toBe("CONTENT_NOT_FOUND");
    const theirs = await opened.scratch.gate.blobs.put(oneChunk("theirs"), { actor: "somebody", session: null });
    if (theirs.kind !== "stored") throw new Error(theirs.kind);
    const content_hash = Buffer.from(theirs.hash, "hex");
    expect(code(await opened.send(tool("artifact_publish", { content_hash })))).toBe("CONTENT_NOT_FOUND");
  });
});

describe("requests about models", () => {
  it("are asked by the hash of what the session has stored, and cost their tokens", async () => {
    await using provider = await openFakeProvider(() => ({ text: "hello", input: 12, output: 3 }));
    const local = { wire: "openai-compatible", url: provider.url("openai-compatible"), models: ["m"] };
    await using opened = await open({
      config: { tools: { builtin: ["inference"], inference: { providers: { local } } } },
      rules: [{ id: "models", effect: "allow", touch: { model: ["local/*"] } }],
    });
    const { send, put } = opened;
    const [prompt_hash, system_prompt_hash] = await Promise.all(
      ["asked", "told"].map(async (text) => Buffer.from(await put(text), "hex")),
    );
    if (prompt_hash === undefined || system_prompt_hash === undefined) throw new Error("nothing is stored");
    const asked = { provider: "local", model: "m", prompt_hash, system_prompt_hash };
    const answered = success(await send(tool("inference", { ...asked, max_tokens: 50n, temperature_scaled: 70 })));
    expect([text(answered.inline_result), answered.budget_consumed]).toEqual(["hello", 15n]);
    // What is zero is not said.
    success(await send(tool("inference", { provider: "local", model: "m", prompt_hash })));
    expect(provider.requests.map(({ body }) => body)).toEqual([
      {
        model: "m",
        max_tokens: 50,
        temperature: 0.7,
        messages: [
          { role: "system", content: "told" },
          { role: "user", content: "asked" },
        ],
      },
      { model: "m", max_tokens: 4096, messages: [{ role: "user", content: "asked" }] },
    ]);
    expect(code(await send(tool("inference", { ...asked, model: "else" })))).toEqual([
      "INVALID_ARGUMENTS",
      "INVALID_ARGUMENTS",
    ]);
    expect(code(await send(tool("inference", { provider: "local", model: "m" })))).toEqual([
      "CONTENT_NOT_FOUND",
      "CONTENT_NOT_FOUND",
    ]);
  });

  it("tell when they may be sent again", async () => {
    await using provider = await openFakeProvider(() => ({ status: 429, headers: { "retry-after": "2" } }));
    const local = { wire: "openai-compatible", url: provider.url("openai-compatible"), models: ["m"] };
    await using opened = await open({
      config: { tools: { builtin: ["inference"], inference: { providers: { local } } } },
      rules: [{ id: "models", effect: "allow", touch: { model: ["*"] } }],
    });
    const prompt_hash = Buffer.from(await opened.put("asked"), "hex");
    const { result } = await opened.send(tool("inference", { provider: "local", model: "m", prompt_hash }));
    expect(result).toMatchObject({
      kind: "error",
      value: { error_code: "MODEL_UNAVAILABLE", retryable: true, retry_after_ms: 2000n },
    });
  });
});

async function* oneChunk(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

describe("a request that is refused", () => {
  it("names the rule and why, or that there is none", async () => {
    const rules = [
      ...ALLOW_ALL,
      { id: "own", effect: "deny" as const, touch: { read: ["./own"] }, because: "OWN_DENIED: not yours" },
      { id: "plain", effect: "deny" as const, touch: { read: ["./plain"] }, because: "Not yours." },
    ];
    await using opened = await open({ rules });
    expect(code(await opened.send(tool("file_read", { path: "own" })))).toEqual(["own", "OWN_DENIED"]);
    expect(code(await opened.send(tool("file_read", { path: "plain" })))).toEqual(["plain", "RULE_DENY"]);
    expect(code(await opened.send(tool("file_read", { path: "/etc/hosts" })))).toEqual([
      "DEFAULT_DENY",
      "NO_MATCHING_RULE",
    ]);
    // Tools that are not switched on.
    expect(code(await opened.send(tool("inference")))).toEqual(["TOOL_UNKNOWN", "TOOL_UNKNOWN"]);
    expect(code(await opened.send(tool("artifact_publish")))).toEqual(["TOOL_UNKNOWN", "TOOL_UNKNOWN"]);
  });

  it("needs an active session that covers it, and what it may use up", async () => {
    await using opened = await open({}, { tools: ["read_file"], read: ["./a/**"], budget: { calls: 1 } });
    const { scratch, send } = opened;
    scratch.put("a/b", "x");
    expect(code(await send(tool("file_read"), { session_token: "nobody's" }))).toEqual([
      "SESSION_UNKNOWN",
      "SESSION_UNKNOWN",
    ]);
    expect(code(await send(tool("file_read")))).toEqual(["LEASE_SCOPE", "LEASE_SCOPE"]);
    expect(code(await send(tool("file_write", { path: "a/b" })))).toEqual(["LEASE_SCOPE", "LEASE_SCOPE"]);
    success(await send(tool("file_read", { path: "a/b" })));
    expect(code(await send(tool("file_read", { path: "a/b" })))).toEqual(["BUDGET_EXCEEDED", "BUDGET_EXCEEDED"]);
  });

  it("never reaches the gate where it is malformed, and is told all that is wrong", async () => {
    await using opened = await open({ policy: "untold" });
    const { scratch, send } = opened;
    const before = kinds(scratch).length;
    const { result } = await send(tool("file_read", { path: "../x\0" }), { dedupe_key: "k".repeat(257) });
    if (result?.kind !== "denied") throw new Error("it was not denied");
    expect(result.value.message.split("\n")).toEqual([
      "3 things are wrong with the request",
      "dedupe_key: `dedupe_key` has more than 256 characters (max_length)",
      "file_read.path: `file_read.path` holds a NUL character (no_null_bytes)",
      "file_read.path: `file_read.path` leads upwards with `..` (no_path_traversal)",
    ]);
    const broken = decodeToolResponse(await answerToolRequest(scratch.gate, Uint8Array.of(0x0a, 1, 0x72, 0x20, 1)));
    expect([broken.request_id, code(broken)]).toEqual(["r", ["INVALID_ARGUMENTS", "INVALID_ARGUMENTS"]]);
    expect(kinds(scratch)).toHaveLength(before);
  });
});

it("is answered once, whatever becomes of its bytes on the way", async () => {
  await using opened = await open();
  const { scratch } = opened;
  const session = await scratch.gate.sessions.open(EVERYTHING);
  if (session.kind === "refused") throw new Error(session.refusal.message);
  const asked = [tool("file_read"), tool("file_edit"), tool("file_write", { content: Uint8Array.of(1, 255) })];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...asked),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.constantFrom(0, 1)), { maxLength: 4 }),
      fc.nat({ max: 3 }),
      async (one, changes, lost) => {
        const bytes = [...encodeToolRequest(request(one, { session_token: session.token, dedupe_key: "" }))];
        for (const [at, byte, gone] of changes) bytes.splice(at % bytes.length, gone, byte);
        const answer = await answerToolRequest(scratch.gate, Uint8Array.from(bytes.slice(0, bytes.length - lost)));
        expect(decodeToolResponse(answer).result).not.toBeNull();
      },
    ),
    { numRuns: 150 },
  );
});

describe("a key", () => {
  it("makes a request once within its session (CTR-0003)", async () => {
    await using opened = await open();
    const { scratch, send } = opened;
    const write = (content: string) =>
      send(tool("file_write", { content: Buffer.from(content), append: true }), { dedupe_key: "k" });
    const [first, second] = [await write("x"), await write("x")];
    expect(success(second)).toEqual(success(first));
    expect(scratch.text("a.txt")).toBe("x");
    expect(code(await write("y"))).toEqual(["DEDUPE_MISMATCH", "DEDUPE_MISMATCH"]);
  });
});

needs("bwrap")("commands and git", () => {
  const parts: GateParts = {
    config: { tools: { builtin: ["files", "shell", "git"] } },
    rules: [
      ...ALLOW_ALL,
      { id: "run", effect: "allow", touch: { exec: ["**"] } },
      { id: "look", effect: "allow", touch: { git: ["STATUS"] } },
      { id: "no-push", effect: "deny", touch: { git: ["PUSH"] } },
    ],
  };

  it("run as the gate runs them", async () => {
    await using opened = await open(parts);
    const { scratch, send } = opened;
    scratch.put("d/x", "");
    expect(text(success(await send(tool("shell_exec", { command: "ls", cwd: "d" }))).inline_result)).toContain("x");
    const failed = (
      await send(tool("shell_exec", { command: "ls nowhere", timeout_ms: 60_000n, network_access: false }))
    ).result;
    if (failed?.kind !== "error") throw new Error("it did not fail");
    expect(failed.value).toMatchObject({ error_code: "COMMAND_FAILED", retryable: false, retry_after_ms: 0n });
    expect(failed.value.message).toContain("nowhere");
    expect(code(await send(tool("git_op", { operation: "PUSH" })))).toEqual(["no-push", "RULE_DENY"]);
  });
});
