import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../../src/domain/secret.ts";
import { openWeb } from "../../../../src/net/guarded-fetch.ts";
import { knownSecretIn } from "../../../../src/redact/known-secret-in.ts";
import type { SearchBackendName } from "../../../../src/tools/builtin/web/search-backend.ts";
import { webSearchTool } from "../../../../src/tools/builtin/web/web-search.ts";
import { httpServer, rawServer, testNet } from "../../../net/test-net.ts";
import { codeOf, messageOf, textOf, useTool } from "../use-tool.ts";

const KEY = new Secret("k3y-of-the-gate-0815");
const SECRETS = knownSecretIn([{ name: "API_KEY", value: KEY }]);

const searchTool = (name: SearchBackendName, url: string, key: Secret | null = KEY) =>
  webSearchTool({ web: openWeb(testNet()), backend: { name, url, key }, secretIn: SECRETS });

/** A search service that answers with what it is given, and remembers the question. */
async function searched(
  name: SearchBackendName,
  answer: unknown,
  input: object = {},
  status = 200,
  key?: Secret | null,
) {
  const asked: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  await using server = await httpServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Uint8Array>)).toString();
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  const tool = searchTool(name, `http://127.0.0.1:${server.port}/`, key);
  const used = await useTool(tool, { query: "what is & why?", ...input });
  return { used, asked };
}

const PAGE = { title: "A  page\n", url: "https://a.example/", content: "says\nthis", description: "says\nthis" };
const ANSWERS: [SearchBackendName, (pages: readonly unknown[]) => unknown][] = [
  ["searxng", (results) => ({ query: "q", results })],
  ["brave", (results) => ({ type: "search", web: { results } })],
  ["tavily", (results) => ({ results })],
];

describe.each(ANSWERS)("%s", (name, answer) => {
  it("gives pages in their order", async () => {
    const { used } = await searched(
      name,
      answer([PAGE, { url: "https://b.example/" }, "no page", { title: "no url" }]),
    );
    expect(textOf(used)).toBe(
      "1. A page\n   https://a.example/\n   says this\n\n2. https://b.example/\n   https://b.example/",
    );
    expect(used.result).toMatchObject({
      structured: { results: [{ title: "A  page\n", url: "https://a.example/" }, { url: "https://b.example/" }] },
    });
  });
  it("gives no more than are wanted, and none where there are none", async () => {
    const { used } = await searched(name, answer([PAGE, PAGE, PAGE]), { limit: 2 });
    expect(used.result).toMatchObject({ structured: { results: { length: 2 } } });
    expect(textOf((await searched(name, answer([]))).used)).toBe("[no result]");
  });
  it.each([
    [401, "the search service refuses the key (401)"],
    [500, "the search service answers with status 500"],
    [302, "the search service answers with status 302"],
  ])("that says %s is a failure", async (status, message) => {
    const { used } = await searched(name, answer([PAGE]), {}, status);
    expect([codeOf(used), messageOf(used)]).toEqual(["BAD_RESPONSE", message]);
  });
  it.each(["no JSON", "[]", "null", '{"results":1,"web":{"results":1}}'])("that says %s is a failure", async (text) => {
    const { used } = await searched(name, text);
    expect(messageOf(used)).toBe(`the search service answers with something that no ${name} service says`);
  });
  it("touches the service, and sends no secret in a query", async () => {
    const tool = searchTool(name, "https://search.example/base");
    expect((await useTool(tool, { query: "x" })).plan?.touches).toEqual([
      { kind: "connect", host: "search.example", port: 443, scheme: "https" },
    ]);
    expect(codeOf(await useTool(tool, { query: "k3y-of-the-gate-0815" }))).toBe("EGRESS_BLOCKED");
    expect(codeOf(await useTool(searchTool(name, "ftp://x"), { query: "x" }))).toBe("EGRESS_BLOCKED");
  });
  it("that does not answer is a failure, and nothing worse", async () => {
    await using dead = await rawServer((socket) => socket.on("data", () => socket.destroy()));
    const used = await useTool(searchTool(name, `http://127.0.0.1:${dead.port}`), { query: "x" });
    expect(["BAD_RESPONSE", "TIMEOUT"]).toContain(codeOf(used));
    const stop = new AbortController();
    await using silent = await rawServer((socket) => socket.on("data", () => stop.abort()));
    const tool = searchTool(name, `http://127.0.0.1:${silent.port}`);
    expect(codeOf(await useTool(tool, { query: "x" }, { signal: stop.signal }))).toBe("stopped");
  });
});

it("asks each service in its own way", async () => {
  const lines = await Promise.all(
    ANSWERS.map(async ([name, answer]) => (await searched(name, answer([]), { limit: 3 })).asked[0]),
  );
  expect(lines.map((one) => one?.line)).toEqual([
    "GET /search?q=what+is+%26+why%3F&format=json",
    "GET /res/v1/web/search?q=what+is+%26+why%3F&count=3&text_decorations=false",
    "POST /search",
  ]);
  expect(JSON.parse(lines[2]?.body ?? "")).toEqual({ query: "what is & why?", max_results: 3 });
  expect(lines[0]?.headers).toMatchObject({ authorization: "Bearer k3y-of-the-gate-0815" });
  expect(lines[1]?.headers).toMatchObject({ "x-subscription-token": "k3y-of-the-gate-0815" });
  expect(lines[2]?.headers).toMatchObject({ authorization: "Bearer k3y-of-the-gate-0815" });
});

it("sends no key where there is none", async () => {
  const { asked } = await searched("searxng", { results: [] }, {}, 200, null);
  expect(asked[0]?.headers).not.toHaveProperty("authorization");
});

it("an answer of Brave without pages has none", async () =>
  expect(textOf((await searched("brave", { type: "search" })).used)).toBe("[no result]"));
