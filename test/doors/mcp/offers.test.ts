import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/ports/clock.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { isOfTemplate } from "../../../src/tools/mcp/offers.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { type ClientParts, connectClient } from "../../support/mcp-client.ts";
import { needs } from "../../support/parts.ts";
import { codeOf } from "../../support/scratch-gate.ts";
import { fixtureUpstream, openUpstreamGate, type UpstreamGateParts } from "../../support/upstream-gate.ts";

const OFFERS = { env: { OFFERS: "yes" } };
const REVIEW = { name: "up_review", arguments: { text: "this" } };
const BOTH_ERAS = ["2026-07-28", "2025-11-25"] as const;

const open = (rules: readonly RuleSource[], more: UpstreamGateParts = {}) =>
  openUpstreamGate({ upstream: OFFERS, rules, ...more });

const allow = (...tool: readonly string[]): RuleSource => ({ id: "some", effect: "allow", touch: { tool } });
const asks: RuleSource = { id: "asks", effect: "ask", touch: { tool: ["up/*"] } };

describe("a template", () => {
  it.each([
    ["note://of/{day}", "note://of/monday", true],
    ["note://of/{day}", "note://of", false],
    ["note://of/{day}/end", "note://of/a/b/end", true],
    ["note://of/{day}/end", "note://of/a/b", false],
    ["{+path}", "anything://at/all", true],
    ["note://{a}{b}{c}{d}{e}{f}x", `note://${"a".repeat(5000)}`, false],
    ["note://[a-z]*", "note://abc", false],
  ])("%s and %s: %s", (template, uri, isOne) => {
    expect(isOfTemplate(template, uri)).toBe(isOne);
  });
});

needs("bwrap", "node")("prompts and resources of an upstream", () => {
  it.each(BOTH_ERAS)("are listed, and none is given without a rule, %s", async (era) => {
    await using scratch = open([allow("up_*")]);
    await using connected = await connectClient(scratch.gate, { era });
    const { client } = connected;
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: "up_poisoned", description: "fine\\u{e0049}\\u{e0047}" },
      {
        name: "up_review",
        arguments: [
          { name: "text", required: true },
          { name: "tone", required: false },
        ],
      },
    ]);
    expect((await client.listResources()).resources).toMatchObject([
      { uri: "note://moved", name: "moved" },
      { uri: "note://one", name: "one", mimeType: "text/plain" },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: "note://of/{day}" },
    ]);
    await expect(client.getPrompt(REVIEW)).rejects.toMatchObject({ code: -31_000, data: { code: "DEFAULT_DENY" } });
    for (const uri of ["note://one", "note://of/monday"])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { code: "DEFAULT_DENY" } });
    expect(scratch.rows().map(({ state, tool }) => `${state} ${tool}`)).toEqual([
      "refused up/prompts/review",
      "refused up/resources/note://one",
      "refused up/resources/note://of/monday",
    ]);
  });

  it.each(BOTH_ERAS)("are given by a rule, redacted and inert, and recorded, %s", async (era) => {
    await using scratch = open([allow("up/prompts/review", "up/resources/note://of/*")]);
    await using connected = await connectClient(scratch.gate, { era });
    const { client } = connected;
    const prompt = await client.getPrompt(REVIEW);
    expect(prompt.description).toBe("a review");
    expect(prompt.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(JSON.stringify(prompt.messages[0])).toContain("Review \\\\u{1b}[31mthis");
    expect(JSON.stringify(prompt)).not.toContain("AKIAQYLPMN5HHHFPZAM2");
    expect((await client.readResource({ uri: "note://of/monday" })).contents).toEqual([
      { uri: "note://of/monday", mimeType: "text/plain", text: "\\u{1b}[2Jnote://of/monday" },
    ]);
    await expect(client.readResource({ uri: "note://one" })).rejects.toMatchObject({ data: { code: "DEFAULT_DENY" } });
    const [first] = scratch.rows();
    expect(first).toMatchObject({ state: "completed", tool: "up/prompts/review" });
    expect(scratch.entries(first?.callId).map(({ kind }) => kind)).toContain("tool.executed");
    expect(JSON.stringify(scratch.entries())).not.toContain("AKIAQYLPMN5HHHFPZAM2");
  });

  it("that are not there, or with arguments that don't fit, say so as their revision has it", async () => {
    await using scratch = open([allow("*")]);
    await using modern = await connectClient(scratch.gate);
    await using legacy = await connectClient(scratch.gate, { era: "2025-11-25" });
    for (const { client } of [modern, legacy]) {
      await expect(client.getPrompt({ name: "review" })).rejects.toMatchObject({ code: -32_602 });
      await expect(client.getPrompt({ name: "up_review", arguments: { tone: "kind" } })).rejects.toMatchObject({
        code: -32_602,
        data: { code: "INVALID_ARGUMENTS" },
      });
    }
    const missing = { uri: "file:///etc/passwd" };
    await expect(modern.client.readResource(missing)).rejects.toMatchObject({ code: -32_602 });
    await expect(legacy.client.readResource(missing)).rejects.toMatchObject({ data: missing });
    // Nobody answers for another's address.
    await expect(modern.client.readResource({ uri: "note://moved" })).rejects.toMatchObject({
      data: { code: "BAD_RESPONSE" },
    });
  });

  it.each(BOTH_ERAS)("are waited for by a list no longer than clients do, and told of later, %s", async (era) => {
    const due: (() => void)[] = [];
    const after: Clock["after"] = (_, task) => {
      due.push(task);
      return () => {};
    };
    await using scratch = open([allow("*")], {
      upstream: { env: { OFFERS: "yes", BEFORE_START: "waits" } },
      inner: { clock: { ...systemClock, after } },
    });
    await using connected = await connectClient(scratch.gate, { era });
    const { client } = connected;
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
    if (era === "2026-07-28") await client.listen({ toolsListChanged: true });
    const listing = Promise.all([client.listTools(), client.listPrompts()]);
    await expect.poll(() => due.length).toBeGreaterThan(1);
    for (const task of due.splice(0)) task();
    const [{ tools }, { prompts }] = await listing;
    expect(tools.map(({ name }) => name)).toContain("read_file");
    expect(prompts).toEqual([]);
    scratch.put("go");
    await changed.promise;
    const names = (await client.listTools(undefined, { cacheMode: "refresh" })).tools.map(({ name }) => name);
    expect(names).toContain("up_echo");
  });

  it("are no tools that a model could name", async () => {
    await using scratch = open([allow("*")]);
    await using connected = await connectClient(scratch.gate);
    const names = (await connected.client.listTools()).tools.map(({ name }) => name);
    expect(names.some((name) => name.includes("review"))).toBe(false);
    await expect(
      connected.client.callTool({ name: "up/prompts/review", arguments: { text: "x" } }),
    ).rejects.toMatchObject({ code: -32_602 });
    expect(codeOf(await scratch.gate.call({ tool: "up/prompts/review", input: { text: "x" } }))).toBe("completed");
  });

  const yes: NonNullable<ClientParts["fills"]> = () => ({ action: "accept", content: { answer: "approve" } });
  const no: NonNullable<ClientParts["fills"]> = () => ({ action: "decline" });
  it.each(BOTH_ERAS)("are asked about like calls, %s", async (era) => {
    await using scratch = open([asks]);
    await using willing = await connectClient(scratch.gate, { era, fills: yes });
    expect((await willing.client.getPrompt(REVIEW)).messages).toHaveLength(2);
    expect((await willing.client.readResource({ uri: "note://one" })).contents).toHaveLength(1);
    await using unwilling = await connectClient(scratch.gate, { era, fills: no });
    const refused = { data: { code: "APPROVAL_REJECTED" } };
    await expect(unwilling.client.getPrompt(REVIEW)).rejects.toMatchObject(refused);
    await expect(unwilling.client.readResource({ uri: "note://one" })).rejects.toMatchObject(refused);
  });

  it("that changed, or hide text, are held back until a person accepts them", async () => {
    await using scratch = open([allow("*")]);
    const get = (name: string) => scratch.gate.call({ tool: `up/prompts/${name}`, input: { text: "x" } });
    expect(codeOf(await get("review"))).toBe("completed");
    expect(codeOf(await scratch.gate.call({ tool: "up/prompts/poisoned", input: {} }))).toBe("TOOL_CHANGED");
    await using connected = await connectClient(scratch.gate, { era: "2025-11-25" });
    const told = Promise.withResolvers<void>();
    connected.client.setNotificationHandler("notifications/prompts/list_changed", () => told.resolve());
    expect(codeOf(await scratch.gate.call({ tool: "up_change", input: {} }))).toBe("completed");
    await told.promise;
    expect(codeOf(await get("review"))).toBe("TOOL_CHANGED");
    expect(scratch.gate.upstreams.offers.prompts()[1]?.description).toBe("asks for a review");
    const seen = scratch.gate.upstreams.list()[0]?.offers.filter(({ name }) => name === "up/prompts/review") ?? [];
    expect(await scratch.gate.upstreams.accept("up", seen)).toEqual(["prompts/review"]);
    expect(codeOf(await get("review"))).toBe("completed");
    expect(scratch.entries().find(({ kind }) => kind === "upstream.accepted")?.body).toHaveProperty("offers");
  });

  it("of another upstream keep their names and addresses", async () => {
    const others = { other: fixtureUpstream([], { ...OFFERS, prefix: "up_" }) };
    await using scratch = open([allow("up/*")], { others });
    await scratch.gate.upstreams.ready();
    const { offers } = scratch.gate.upstreams;
    expect(offers.prompts().map(({ tool }) => tool)).toEqual(["up/prompts/poisoned", "up/prompts/review"]);
    expect(offers.readerOf("note://one")).toBe("up/resources/note://one");
    expect(codeOf(await scratch.gate.call({ tool: "other/resources/note://one", input: {} }))).toBe("DEFAULT_DENY");
  });

  it("are not taken by one that has them later, wherever it stands", async () => {
    const others = { other: fixtureUpstream([], OFFERS) };
    await using scratch = openUpstreamGate({ rules: [allow("up/*", "other/*")], others });
    await scratch.gate.upstreams.look("other");
    const config = { tools: { mcp: { up: fixtureUpstream([], OFFERS), ...others } } };
    const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + 60_000 };
    const again = scratch.again({ config, inner: { clock } });
    await again.upstreams.look("up");
    const { offers } = again.upstreams;
    expect(offers.readerOf("note://one")).toBe("other/resources/note://one");
    expect(offers.readerOf("note://of/monday")).toBe("other/resources/note://of/monday");
  });

  it("are touched as the operator says", async () => {
    const touches = { resources: { read: ["path"] } };
    const extra = { OFFERS: "yes", FILES: "yes" };
    const rules: readonly RuleSource[] = [allow("*"), { id: "read", effect: "allow", touch: { read: ["./a.txt"] } }];
    await using scratch = open(rules, { upstream: { env: extra, touches } });
    const explain = (uri: string) => scratch.gate.explain({ tool: `up/resources/${uri}`, input: {} });
    const file = (name: string) => pathToFileURL(`${scratch.workspace}/${name}`).href;
    expect(await explain(file("a.txt"))).toMatchObject({ decision: "allow", touches: [{}, { kind: "read" }] });
    expect(await explain(file("b.txt"))).toMatchObject({ decision: "deny", touches: [{}, { kind: "read" }] });
    // What names no file can't be judged as one.
    expect(await explain("note://one")).toMatchObject({ decision: "deny", touches: [{}, { kind: "unknown" }] });
  });

  it.each([
    "file:///docs/../etc/shadow",
    "file:///docs/%2e%2e/etc/shadow",
    "file:///docs/./a",
    "file:///docs\\..\\etc",
    "FILE:///docs/a",
  ])("of a template have one address each, and %s is none", async (uri) => {
    await using scratch = open([allow("up/resources/file:///docs/*")], {
      upstream: { env: { OFFERS: "yes", FILES: "yes" } },
    });
    expect(codeOf(await scratch.gate.call({ tool: `up/resources/${uri}`, input: {} }))).toBe("TOOL_UNKNOWN");
  });
});
