import { describe, expect, it } from "vitest";
import { missingSecret } from "../../../src/tools/mcp/missing-secret.ts";
import { needs } from "../../support/parts.ts";
import { codeOf, openScratchGate } from "../../support/scratch-gate.ts";
import { fixtureUpstream, openUpstreamGate } from "../../support/upstream-gate.ts";

const TOKEN = "a-token-that-is-set-1234";
const wanting = (...variables: string[]) =>
  fixtureUpstream([], { env: Object.fromEntries(variables.map((name) => [name, { secret: name }])) });

describe("an upstream that lacks a secret", () => {
  it.each([
    [[], null],
    [["A"], "the variable `A` is not set"],
    [["A", "B"], "the variables `A`, `B` are not set"],
  ])("says so of %j", (missing, message) => {
    expect(missingSecret({ missing })?.message ?? null).toBe(message);
  });

  it("is never started, and its name explains what is unknown", async () => {
    await using scratch = openScratchGate({
      config: { tools: { mcp: { github: wanting("NOT_SET") } } },
      rules: [{ id: "all", effect: "allow" }],
    });
    const { gate } = scratch;
    await gate.upstreams.ready();
    expect(gate.tools().filter(({ source }) => source === "mcp")).toEqual([]);
    const unknown = await gate.call({ tool: "github_echo", input: {} });
    expect(unknown).toMatchObject({
      refusal: { code: "TOOL_UNKNOWN", hint: expect.stringContaining("the variable `NOT_SET` is not set") },
    });
    // Another name has nothing to do with it.
    const other = await gate.call({ tool: "gitlab_echo", input: {} });
    expect(JSON.stringify(other)).not.toContain("NOT_SET");
    expect(await gate.upstreams.look("github")).toMatchObject({
      fault: { code: "SECRET_MISSING", hint: expect.stringContaining("export NOT_SET=…") },
      seen: { health: { state: "failed", last: "the variable `NOT_SET` is not set" } },
    });
    expect(await gate.checkTools()).toContainEqual({
      ...{ tool: "github", level: "error", field: "", rule: "secret" },
      message: expect.stringMatching(/`github` is out of use: the variable `NOT_SET`.*export NOT_SET/),
    });
    expect(scratch.entries().filter(({ kind }) => kind === "upstream.started")).toEqual([]);
  });
});

needs("bwrap", "node")("an upstream that lacks a secret beside one that does not", () => {
  it("is out of use by itself, what was seen of it too, and secrets that are there are still taken out", async () => {
    const others = { poor: wanting("SET", "NOT_SET") };
    await using scratch = openUpstreamGate({ others, variables: { SET: TOKEN, NOT_SET: "was-set-before-5678" } });
    await scratch.gate.upstreams.ready();
    expect(scratch.gate.tools().map(({ name }) => name)).toContain("poor_echo");
    await scratch.gate.close();

    const again = scratch.again({
      rules: [{ id: "any", effect: "allow", touch: { tool: ["*"] } }],
      variables: { SET: TOKEN },
    });
    await again.upstreams.ready();
    const names = again.tools().map(({ name }) => name);
    expect(names).toContain("up_echo");
    expect(names.filter((name) => name.startsWith("poor_"))).toEqual([]);
    const refused = await again.call({ tool: "poor_echo", input: { text: "x" } });
    expect(refused).toMatchObject({
      refusal: {
        code: "SECRET_MISSING",
        message: "the upstream `poor` is out of use: the variable `NOT_SET` is not set",
        hint: expect.stringContaining("export NOT_SET=…"),
      },
    });
    expect(codeOf(await again.call({ tool: "up_echo", input: { text: "x" } }))).toBe("completed");
    const said = await again.call({ tool: "up_echo", input: { text: `it is ${TOKEN}` } });
    expect(JSON.stringify(said)).not.toContain(TOKEN);
  });

  it("keeps its prompts and addresses for itself, and lists none", async () => {
    const env = { OFFERS: "yes", KEY: { secret: "KEY" } };
    const first = fixtureUpstream([], { env });
    const second = fixtureUpstream([], { env: { OFFERS: "yes" } });
    const config = { tools: { mcp: { first, second } } };
    const rules = [{ id: "any", effect: "allow", touch: { tool: ["*", "**"] } }] as const;
    await using scratch = openUpstreamGate({ others: { first, second }, variables: { KEY: TOKEN } });
    await scratch.gate.upstreams.ready();
    expect(scratch.gate.upstreams.offers.readerOf("note://one")).toBe("first/resources/note://one");
    await scratch.gate.close();
    const again = scratch.again({ rules, variables: {}, config });
    await again.upstreams.ready();
    const { offers } = again.upstreams;
    expect(offers.prompts().map(({ tool }) => tool)).toEqual(expect.arrayContaining(["second/prompts/review"]));
    expect(JSON.stringify([offers.prompts(), offers.templates(), offers.resources()])).not.toContain("first/");
    expect(offers.readerOf("note://one")).toBe("first/resources/note://one");
    expect(codeOf(await again.call({ tool: "first/resources/note://one", input: {} }))).toBe("SECRET_MISSING");
    expect(codeOf(await again.call({ tool: "second/prompts/review", input: { text: "x" } }))).toBe("completed");
  });
});
