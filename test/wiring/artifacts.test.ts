import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import type { LeaseSource } from "../../src/wiring/gate.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { asKind, codeOf, type GateParts, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";
import { untoldJournal } from "../support/untold-journal.ts";

const MAY_ALL: readonly RuleSource[] = [
  { id: "artifacts", effect: "allow", touch: { tool: ["publish_artifact", "fetch_artifact"] } },
  { id: "files", effect: "allow", touch: { read: ["./**"] } },
];

const open = (parts: GateParts = {}) =>
  openScratchGate({
    rules: MAY_ALL,
    ...parts,
    config: { tools: { builtin: ["artifacts", "files"] }, ...parts.config },
  });

const publish = ({ gate }: Pick<ScratchGate, "gate">, input: JsonObject) =>
  gate.call({ tool: "publish_artifact", input: { category: "report", ...input } });
const fetchOf = ({ gate }: Pick<ScratchGate, "gate">, input: JsonObject) =>
  gate.call({ tool: "fetch_artifact", input });

async function published(scratch: Pick<ScratchGate, "gate">, input: JsonObject) {
  const { structured } = asKind(await publish(scratch, input), "completed");
  return { hash: String(structured?.["content_hash"]), isNew: structured?.["is_new"], bytes: structured?.["bytes"] };
}

/** A session that is an agent's, and its calls. */
async function agent({ gate }: ScratchGate, lease: Partial<LeaseSource> = {}) {
  const opened = await gate.sessions.open({ tools: "everything", read: ["./**"], ...lease });
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { session } = opened;
  const call = (tool: string, input: JsonObject) => gate.call({ tool, input, session, actor: `session:${session.id}` });
  const put = async (text: string) => {
    const stored = await gate.blobs.put(chunks(text), { actor: `session:${session.id}`, session });
    return stored.kind === "stored" ? stored.hash : JSON.stringify(stored);
  };
  return { call, put };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describe("an artifact", () => {
  it("is published from a text and a file, and fetched by its name and its content", async () => {
    await using scratch = open();
    scratch.put("out/result.xml", "<ok/>");
    const metadata = { format: "junit", suite: "integration" };
    const text = await published(scratch, { artifact_id: "notes", text: "seen\n" });
    const file = await published(scratch, { artifact_id: "results-001", path: "out/result.xml", metadata });
    expect(text).toMatchObject({ isNew: true, bytes: 5 });
    for (const input of [{ artifact_id: "results-001" }, { content_hash: file.hash }]) {
      const fetched = asKind(await fetchOf(scratch, { ...input, expected_hash: file.hash }), "completed");
      expect(fetched.content).toEqual([{ type: "text", text: "<ok/>" }]);
      expect(fetched.structured).toEqual({
        artifact_id: "results-001",
        bytes: 5,
        category: "report",
        content_hash: file.hash,
        metadata,
      });
    }
    const about = { artifact: "results-001", blob: file.hash, bytes: 5, category: "report" };
    expect(scratch.entries().filter(({ kind }) => kind === "evidence.published")).toMatchObject([
      { body: { artifact: "notes", blob: text.hash } },
      { body: about },
    ]);
  });

  it("comes back to the byte, as text, picture or bytes", async () => {
    await using scratch = open();
    const picture = Buffer.from("89504e470d0a1a0a00ff", "hex");
    scratch.put("a.png", picture);
    scratch.put("a.bin", Uint8Array.of(0, 255, 7));
    scratch.put("empty", "");
    for (const path of ["a.png", "a.bin", "empty"]) await published(scratch, { artifact_id: path, path });
    const content = async (input: JsonObject) => asKind(await fetchOf(scratch, input), "completed").content;
    expect(await content({ artifact_id: "a.png" })).toEqual([
      { type: "image", mediaType: "image/png", data: picture.toString("base64") },
    ]);
    const resource = { type: "resource", mediaType: "application/octet-stream" };
    expect(await content({ artifact_id: "a.bin" })).toEqual([{ ...resource, uri: "artifact:a.bin", blob: "AP8H" }]);
    expect(await content({ artifact_id: "empty", format: "base64" })).toEqual([
      { ...resource, uri: "artifact:empty", blob: "" },
    ]);
    expect(await content({ artifact_id: "empty", format: "text" })).toEqual([{ type: "text", text: "" }]);
    expect(codeOf(await fetchOf(scratch, { artifact_id: "a.bin", format: "text" }))).toBe("NOT_TEXT");
  });

  it("never changes, and is published again without a change", async () => {
    await using scratch = open();
    const metadata = { a: "1" };
    const first = await published(scratch, { artifact_id: "one", text: "first", metadata });
    expect(await published(scratch, { artifact_id: "one", text: "first", metadata })).toEqual({
      ...first,
      isNew: false,
    });
    for (const other of [{ text: "second" }, { metadata: { a: "2" } }, { category: "log" }, { metadata: {} }])
      expect(codeOf(await publish(scratch, { artifact_id: "one", text: "first", metadata, ...other }))).toBe(
        "ARTIFACT_EXISTS",
      );
    const again = { gate: scratch.again() };
    expect(asKind(await fetchOf(again, { artifact_id: "one" }), "completed").content).toEqual([
      { type: "text", text: "first" },
    ]);
  });

  it("has one content where many publish at once", async () => {
    await using scratch = open();
    const gates = [scratch, { gate: scratch.again() }];
    const codes = await Promise.all(
      Array.from({ length: 8 }, async (_, n) =>
        codeOf(await publish(gates[n % 2] ?? scratch, { artifact_id: "one", text: `content ${n}` })),
      ),
    );
    expect(codes.toSorted()).toEqual([...Array(7).fill("ARTIFACT_EXISTS"), "completed"]);
    const winner = codes.indexOf("completed");
    expect(asKind(await fetchOf(scratch, { artifact_id: "one" }), "completed").content).toEqual([
      { type: "text", text: `content ${winner}` },
    ]);
  });

  it("that the ledger could not be told of is told by who publishes it again", async () => {
    await using scratch = open({ policy: "untold" });
    const full = { gate: scratch.again({ inner: { journal: untoldJournal(scratch.stateDir) } }) };
    expect(codeOf(await publish(full, { artifact_id: "one", text: "x" }))).toBe("LEDGER_UNAVAILABLE");
    expect(scratch.entries().filter(({ kind }) => kind === "evidence.published")).toEqual([]);
    expect(await published(scratch, { artifact_id: "one", text: "x" })).toMatchObject({ isNew: false });
    expect(scratch.entries().filter(({ kind }) => kind === "evidence.published")).toHaveLength(1);
  });

  it("is not collected", async () => {
    const late = { ...systemClock, nowMs: () => systemClock.nowMs() + 2 * LIMITS.blobGraceMs.default };
    await using scratch = open({ inner: { clock: late } });
    await published(scratch, { artifact_id: "one", text: "kept" });
    await published(scratch, { artifact_id: "two", text: "kept too" });
    expect(await scratch.gate.blobs.collect()).toMatchObject({ kind: "collected", removed: 0, kept: 4 });
    expect(codeOf(await fetchOf(scratch, { artifact_id: "one" }))).toBe("completed");
  });
});

describe("fetching", () => {
  it.each<[string, JsonObject, string]>([
    ["an unknown name", { artifact_id: "two" }, "ARTIFACT_UNKNOWN"],
    ["an unknown content", { content_hash: "0".repeat(64) }, "ARTIFACT_UNKNOWN"],
    ["another content than expected", { artifact_id: "one", expected_hash: "0".repeat(64) }, "HASH_MISMATCH"],
    ["another content than named", { artifact_id: "one", content_hash: "0".repeat(64) }, "HASH_MISMATCH"],
    ["all that may come", { artifact_id: "one", max_bytes: 4 }, "completed"],
    ["more than may come", { artifact_id: "one", max_bytes: 3 }, "BLOB_TOO_LARGE"],
    ["nothing", {}, "INVALID_ARGUMENTS"],
    ["by what is no hash", { content_hash: "../x" }, "INVALID_ARGUMENTS"],
    ["more than is ever kept", { artifact_id: "one", max_bytes: 104_857_601 }, "INVALID_ARGUMENTS"],
  ])("%s", async (_, input, code) => {
    await using scratch = open();
    await published(scratch, { artifact_id: "one", text: "1234" });
    expect(codeOf(await fetchOf(scratch, input))).toBe(code);
  });

  it("does not give what is only stored, whoever knows its hash", async () => {
    await using scratch = open();
    const one = await agent(scratch);
    const hash = await one.put("not published");
    expect(codeOf(await one.call("fetch_artifact", { content_hash: hash }))).toBe("ARTIFACT_UNKNOWN");
  });
});

describe("publishing", () => {
  it.each<[string, JsonObject, string]>([
    ["nothing", {}, "INVALID_ARGUMENTS"],
    ["two contents", { text: "a", path: "a.txt" }, "INVALID_ARGUMENTS"],
    ["without a name", { artifact_id: "", text: "a" }, "INVALID_ARGUMENTS"],
    ["with the longest name", { artifact_id: "ä".repeat(256), text: "a" }, "completed"],
    ["with too long a name", { artifact_id: "ä".repeat(257), text: "a" }, "INVALID_ARGUMENTS"],
    ["with the longest metadata", { text: "a", metadata: { a: "x".repeat(32 * 1024 - 2) } }, "completed"],
    ["with too long metadata", { text: "a", metadata: { a: "x".repeat(32 * 1024 - 1) } }, "INVALID_ARGUMENTS"],
    ["with a name in metadata that can't be carried", { text: "a", metadata: { "a=b": "c" } }, "INVALID_ARGUMENTS"],
    ["with a value that can", { text: "a", metadata: { a: "b=c" } }, "completed"],
    ["a file that is not there", { path: "no.txt" }, "FILE_NOT_FOUND"],
    ["a file that no rule lets it read", { path: "/etc/hostname" }, "DEFAULT_DENY"],
    ["content that nobody has stored", { content_hash: "0".repeat(64) }, "CONTENT_NOT_FOUND"],
  ])("%s", async (_, input, code) => {
    await using scratch = open();
    expect(codeOf(await publish(scratch, { artifact_id: "one", ...input }))).toBe(code);
    if (code !== "completed") expect(codeOf(await fetchOf(scratch, { artifact_id: "one" }))).toBe("ARTIFACT_UNKNOWN");
  });

  it("by hash takes what its caller has stored, and nothing of others (knowing is not owning)", async () => {
    await using scratch = open();
    const [one, other] = [await agent(scratch), await agent(scratch)];
    const hash = await one.put("of one");
    const input = { artifact_id: "one", category: "c", content_hash: hash };
    expect(codeOf(await other.call("publish_artifact", input))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await publish(scratch, input))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await one.call("publish_artifact", input))).toBe("completed");
    // By now it is everybody's who may fetch.
    expect(codeOf(await other.call("fetch_artifact", { content_hash: hash }))).toBe("completed");
    // And a content that one has brought along oneself is one's own, too.
    expect(await other.put("of one")).toBe(hash);
    const second = { ...input, artifact_id: "two" };
    expect(codeOf(await other.call("publish_artifact", second))).toBe("completed");
  });

  it("by hash takes what came of its caller's own calls", async () => {
    await using scratch = open();
    scratch.put("long.txt", "0123456789abcdef".repeat(100_000));
    const [one, other] = [await agent(scratch), await agent(scratch)];
    const read = asKind(await one.call("read_file", { path: "long.txt" }), "completed");
    const input = { artifact_id: "long", category: "c", content_hash: read.truncated?.blob ?? "" };
    expect(codeOf(await other.call("publish_artifact", input))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await one.call("publish_artifact", input))).toBe("completed");
  });

  it("by hash takes nothing of others who speak in the same conversation", async () => {
    await using scratch = open();
    scratch.put("long.txt", "0123456789abcdef".repeat(100_000));
    const session = { id: "chat", project: scratch.gate.project, lease: EVERYTHING };
    const by = (actor: string) => (tool: string, input: JsonObject) =>
      scratch.gate.call({ tool, input, session, actor });
    const [cal, dan] = [by("user:cal"), by("user:dan")];
    const read = asKind(await cal("read_file", { path: "long.txt" }), "completed");
    const input = { artifact_id: "long", category: "c", content_hash: read.truncated?.blob ?? "" };
    expect(codeOf(await dan("publish_artifact", input))).toBe("CONTENT_NOT_FOUND");
    expect(codeOf(await cal("publish_artifact", input))).toBe("completed");
  });

  it("takes secrets out of the content and of what is said about it", async () => {
    const secret = "s3cr3t-0815-s3cr3t";
    await using scratch = open({ config: { secrets: [{ env: "KEY" }] }, variables: { KEY: secret } });
    await published(scratch, { artifact_id: "one", text: `key=${secret}.`, metadata: { note: `it is ${secret}` } });
    const fetched = asKind(await fetchOf(scratch, { artifact_id: "one" }), "completed");
    expect(fetched.content).toEqual([{ type: "text", text: "key=[REDACTED:KEY]." }]);
    expect(fetched.structured?.["metadata"]).toEqual({ note: "it is [REDACTED:KEY]" });
    expect(codeOf(await publish(scratch, { artifact_id: `x-${secret}`, text: "a" }))).toBe("INVALID_ARGUMENTS");
    const [content] = scratch.entries().filter(({ kind }) => kind === "evidence.published");
    const stored = await scratch.again().blobs.get(String(content?.body["recordBlob"]));
    if (!stored.ok) throw new Error(stored.fault.code);
    expect(Buffer.concat(await Array.fromAsync(stored.value.chunks())).toString()).not.toContain(secret);
  });

  it("shows the approver what would be published, without secrets", async () => {
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { tool: ["*"] } }, ...MAY_ALL];
    const shown: string[] = [];
    const approver: Approver = {
      ask: async ({ preview = "" }) => {
        shown.push(preview);
        return { kind: "approve", who: "ann" };
      },
    };
    const config = { secrets: [{ env: "KEY" }] };
    await using scratch = open({ rules, approver, config, variables: { KEY: "s3cr3t-0815-s3cr3t" } });
    scratch.put("a.txt", "a file with s3cr3t-0815-s3cr3t");
    scratch.put("a.bin", Uint8Array.of(0, 255));
    scratch.put("long.txt", "x".repeat(100_000));
    const one = await agent(scratch);
    const call = (input: JsonObject) => one.call("publish_artifact", { category: "c", ...input });
    for (const path of ["a.txt", "a.bin", "long.txt"])
      expect(codeOf(await call({ artifact_id: path, path }))).toBe("completed");
    expect(codeOf(await call({ artifact_id: "hash", content_hash: await one.put("stored") }))).toBe("completed");
    expect(codeOf(await call({ artifact_id: "else", content_hash: "0".repeat(64) }))).toBe("CONTENT_NOT_FOUND");
    const [file, binary, long = "", stored, nothing] = shown;
    expect([file, binary, stored]).toEqual(["a file with [REDACTED:KEY]\n", "2 bytes that are no text\n", "stored\n"]);
    expect(long.length).toBeLessThan(70_000);
    expect(nothing).toContain("nothing is kept under");
  });

  it("publishes the file that was judged, or nothing", async () => {
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { tool: ["*"] } }, ...MAY_ALL];
    const changing: { approver: Approver; put: () => void } = {
      put: () => {},
      approver: {
        ask: async () => {
          changing.put();
          return { kind: "approve", who: "ann" };
        },
      },
    };
    await using scratch = open({ rules, approver: changing.approver });
    scratch.put("a.txt", "judged");
    changing.put = () => void scratch.put("a.txt", "another");
    expect(codeOf(await publish(scratch, { artifact_id: "one", path: "a.txt" }))).toBe("APPROVAL_STALE");
    changing.put = () => {};
    expect(codeOf(await publish(scratch, { artifact_id: "one", path: "a.txt" }))).toBe("completed");
  });
});

describe("rules about artifacts", () => {
  it("are needed: nothing is allowed by default", async () => {
    await using scratch = open({ rules: [{ id: "files", effect: "allow", touch: { read: ["./**"] } }] });
    scratch.put("a.txt", "x");
    expect(codeOf(await publish(scratch, { artifact_id: "one", path: "a.txt" }))).toBe("DEFAULT_DENY");
    expect(codeOf(await fetchOf(scratch, { artifact_id: "one" }))).toBe("DEFAULT_DENY");
  });

  it("may ask about a category, deny a name, and allow one of the two tools only", async () => {
    const rules: RuleSource[] = [
      { id: "publish", effect: "allow", tools: ["publish_artifact"] },
      {
        id: "releases",
        effect: "deny",
        tools: ["publish_artifact"],
        when: 'call.input.category == "release" || call.input.artifact_id.startsWith("prod-")',
      },
    ];
    await using scratch = open({ rules });
    expect(codeOf(await publish(scratch, { artifact_id: "one", text: "x" }))).toBe("completed");
    expect(codeOf(await publish(scratch, { artifact_id: "two", text: "x", category: "release" }))).toBe("RULE_DENY");
    expect(codeOf(await publish(scratch, { artifact_id: "prod-1", text: "x" }))).toBe("RULE_DENY");
    expect(codeOf(await fetchOf(scratch, { artifact_id: "one" }))).toBe("DEFAULT_DENY");
  });

  it("don't widen a lease", async () => {
    await using scratch = open();
    const narrow = await agent(scratch, { tools: ["fetch_artifact"] });
    const input = { artifact_id: "one", category: "c", text: "x" };
    expect(codeOf(await narrow.call("publish_artifact", input))).toBe("LEASE_SCOPE");
    const blind = await agent(scratch, { read: [] });
    scratch.put("a.txt", "x");
    const file = { artifact_id: "one", category: "c", path: "a.txt" };
    expect(codeOf(await blind.call("publish_artifact", file))).toBe("LEASE_SCOPE");
    expect(codeOf(await blind.call("publish_artifact", input))).toBe("completed");
    expect(codeOf(await narrow.call("fetch_artifact", { artifact_id: "one" }))).toBe("completed");
  });

  it("speak about tools that are there only where they are switched on", async () => {
    await using scratch = openScratchGate({ rules: MAY_ALL });
    expect(codeOf(await publish(scratch, { artifact_id: "one", text: "x" }))).toBe("TOOL_UNKNOWN");
  });
});
