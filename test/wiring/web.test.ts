import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { openWeb } from "../../src/net/guarded-fetch.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { openScratch } from "../files/scratch.ts";
import { httpServer, rawServer, testNet } from "../net/test-net.ts";
import { withCorpus } from "../support/parts.ts";
import { approves, asKind, codeOf, entriesIn } from "../support/scratch-gate.ts";

interface WebGate {
  readonly gate: Gate;
  readonly stateDir: string;
}

/** A real gate with the tools of the web. */
async function withGate<T>(
  rules: readonly RuleSource[],
  body: (gate: WebGate) => Promise<T>,
  { net = testNet(), approver, web }: { net?: ReturnType<typeof testNet>; approver?: Approver; web?: object } = {},
): Promise<T> {
  using scratch = openScratch();
  const path = join(scratch.outside, "toolgate.yaml");
  const stateDir = join(scratch.outside, "state");
  const tools = { builtin: ["web"], ...(web && { web }) };
  writeFileSync(path, JSON.stringify({ workspace: scratch.workspace, state: stateDir, tools, rules }));
  const loaded = loadConfig({ path, variables: { KEY: "k3y-of-the-gate-0815" } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const gate = buildGate({ config: loaded.config, ...(approver && { approver }) }, { web: openWeb(net) });
  try {
    return await body({ gate, stateDir });
  } finally {
    await gate.close();
  }
}

const allow = (...connect: string[]): RuleSource => ({ id: "out", effect: "allow", touch: { connect } });

describe("web_request through the gate", () => {
  it("reaches what a rule names, this machine too, and is recorded", async () => {
    await using server = await httpServer((_, response) => response.end("hello"));
    await withGate([allow(`127.0.0.1:${server.port}`)], async ({ gate, stateDir }) => {
      const outcome = asKind(
        await gate.call({ tool: "web_request", input: { url: `http://127.0.0.1:${server.port}/x` } }),
        "completed",
      );
      expect(outcome.content).toEqual([{ type: "text", text: "hello" }]);
      expect(outcome.structured).toMatchObject({ status: 200, url: `http://127.0.0.1:${server.port}/x` });
      expect(JSON.stringify(entriesIn(stateDir))).toContain(
        `"host":"127.0.0.1","kind":"connect","port":${server.port}`,
      );
    });
  });

  it("reaches nothing else", async () => {
    await using server = await httpServer((_, response) => response.end("hello"));
    const url = `http://127.0.0.1:${server.port}/`;
    await withGate([allow("127.0.0.1:1", "*:*", "**.example:80")], async ({ gate }) => {
      expect(codeOf(await gate.call({ tool: "web_request", input: { url } }))).toBe("DEFAULT_DENY");
    });
    await withGate([], async ({ gate }) => {
      expect(codeOf(await gate.call({ tool: "web_request", input: { url } }))).toBe("DEFAULT_DENY");
      expect(codeOf(await gate.call({ tool: "web_request", input: { url: "http://example.com/" } }))).toBe(
        "DEFAULT_DENY",
      );
    });
    expect(server.connections()).toBe(0);
  });

  it("asks about each host where a rule asks, and a person may name this machine", async () => {
    await using server = await httpServer((_, response) => response.end("hello"));
    const ask: RuleSource = { id: "ask", effect: "ask", touch: { connect: ["*:*"] } };
    const url = `http://127.0.0.1:${server.port}/`;
    await withGate(
      [ask],
      async ({ gate }) => expect(codeOf(await gate.call({ tool: "web_request", input: { url } }))).toBe("completed"),
      { approver: approves },
    );
  });

  it("is denied where one of the hosts of its redirects is", async () => {
    await withGate([allow("a.example:80")], async ({ gate }) => {
      const input = { url: "http://a.example/", redirectsTo: ["https://b.example"] };
      expect(codeOf(await gate.call({ tool: "web_request", input }))).toBe("DEFAULT_DENY");
    });
  });

  it("ends unknown where a change was sent and no answer came", async () => {
    await using dead = await rawServer((socket) => socket.on("data", () => socket.destroy()));
    await withGate([allow(`127.0.0.1:${dead.port}`)], async ({ gate }) => {
      const input = { url: `http://127.0.0.1:${dead.port}/`, method: "POST" };
      expect(asKind(await gate.call({ tool: "web_request", input }), "unknown").error).toMatchObject({
        code: "OUTCOME_UNKNOWN",
        retryable: false,
      });
      expect(codeOf(await gate.call({ tool: "web_request", input: { url: input.url } }))).toBe("BAD_RESPONSE");
    });
  });

  it("ends unknown where such a call is cancelled", async () => {
    const stop = new AbortController();
    await using silent = await rawServer((socket) => socket.on("data", () => stop.abort()));
    await withGate([allow(`127.0.0.1:${silent.port}`)], async ({ gate }) => {
      const input = { url: `http://127.0.0.1:${silent.port}/`, method: "POST" };
      expect(codeOf(await gate.call({ tool: "web_request", input }, { signal: stop.signal }))).toBe("OUTCOME_UNKNOWN");
    });
  });
});

describe("web_search through the gate", () => {
  it("is there only where a service is configured", async () => {
    await withGate([], async ({ gate }) =>
      expect(codeOf(await gate.call({ tool: "web_search", input: { query: "x" } }))).toBe("TOOL_UNKNOWN"),
    );
  });

  it("sends its key to the service only, and web_request sends it to nobody", async () => {
    let key: unknown;
    await using server = await httpServer((request, response) => {
      key = request.headers.authorization;
      response.end(JSON.stringify({ results: [{ title: "t", url: "https://a.example/", content: "c" }] }));
    });
    const url = `http://127.0.0.1:${server.port}`;
    const web = { search: { backend: "tavily", url, key: { secret: "KEY" } } };
    await withGate(
      [allow(`127.0.0.1:${server.port}`)],
      async ({ gate, stateDir }) => {
        const outcome = asKind(await gate.call({ tool: "web_search", input: { query: "x" } }), "completed");
        expect(outcome.content).toEqual([{ type: "text", text: "1. t\n   https://a.example/\n   c" }]);
        expect(key).toBe("Bearer k3y-of-the-gate-0815");
        const stolen = { url: `${url}/?k=k3y-of-the-gate-0815` };
        expect(codeOf(await gate.call({ tool: "web_request", input: stolen }))).toBe("EGRESS_BLOCKED");
        expect(server.connections()).toBe(1);
        expect(JSON.stringify(entriesIn(stateDir))).not.toContain("k3y-of-the-gate-0815");
      },
      { web },
    );
  });
});

withCorpus<{ url: string }>("ssrf_urls.jsonl")("the SSRF corpus through the gate", (rows) => {
  it("is denied where every host is allowed by a wildcard, or blocked, and nobody is reached", async () => {
    const net = testNet();
    const inside = { ...net, resolve: async () => ["127.0.0.1"] };
    await withGate(
      [allow("*:*")],
      async ({ gate }) => {
        for (const { url } of rows)
          expect(["EGRESS_BLOCKED", "DEFAULT_DENY"]).toContain(
            codeOf(await gate.call({ tool: "web_request", input: { url } })),
          );
      },
      { net: inside },
    );
    expect(net.dialed).toEqual([]);
  });
});
