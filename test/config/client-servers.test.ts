import { expect, it } from "vitest";
import { serversIn, withoutComments } from "../../src/config/client-servers.ts";
import type { JsonObject } from "../../src/domain/json.ts";

const SERVER = { command: "npx", args: ["-y", "a"] };
const place = (name: string): string => `\${${name}}`;

it.each([
  ["Claude Desktop and Cursor", { mcpServers: { GitHub: SERVER } }, { github: SERVER }],
  ["VS Code", { servers: { git: { type: "stdio", ...SERVER } } }, { git: SERVER }],
  ["Zed", { context_servers: { git: { source: "custom", ...SERVER } } }, { git: SERVER }],
  ["older Zed", { context_servers: { git: { command: { path: "npx", args: ["-y", "a"] } } } }, { git: SERVER }],
  ["the Zed seed", { mcpServers: [{ id: "git", name: "Git Tools", ...SERVER }] }, { git: SERVER }],
  ["an address", { mcpServers: { a: { url: "https://a.example/mcp" } } }, { a: { url: "https://a.example/mcp" } }],
  ["Gemini's address", { mcpServers: { a: { httpUrl: "https://a.example/" } } }, { a: { url: "https://a.example/" } }],
  [
    "Gemini, which has two addresses",
    { mcpServers: { a: { url: "https://a.example/sse", httpUrl: "https://a.example/mcp" } } },
    { a: { url: "https://a.example/mcp" } },
  ],
  ["a folder", { mcpServers: { a: { ...SERVER, cwd: "./server" } } }, { a: { ...SERVER, cwd: "./server" } }],
  ["names that are none", { mcpServers: { "1 Ä": SERVER, "2 Ä": SERVER } }, { server: SERVER, "server-2": SERVER }],
  [
    "plain variables",
    { mcpServers: { a: { ...SERVER, env: { ROOT: "/a" } } } },
    { a: { ...SERVER, env: { ROOT: "/a" } } },
  ],
  [
    "variables as a list",
    { mcpServers: { a: { ...SERVER, env: [{ name: "ROOT", value: "/a" }] } } },
    { a: { ...SERVER, env: { ROOT: "/a" } } },
  ],
])("the servers of %s", (_, settings, servers) => {
  expect(serversIn(settings)).toEqual({ ok: true, servers, secrets: [], left: [], dropped: [] });
});

it("copies no secret", () => {
  const found = serversIn({
    mcpServers: {
      a: { ...SERVER, env: { GITHUB_TOKEN: "ghp_value" } },
      b: { url: "https://b.example/", headers: { Authorization: "Bearer value" } },
    },
  });
  expect(found).toMatchObject({
    servers: {
      a: { env: { GITHUB_TOKEN: { secret: "TOOLGATE_A_GITHUB_TOKEN" } } },
      b: { headers: { Authorization: { secret: "TOOLGATE_B_AUTHORIZATION", prefix: "Bearer " } } },
    },
    secrets: ["TOOLGATE_A_GITHUB_TOKEN", "TOOLGATE_B_AUTHORIZATION"],
  });
  expect(JSON.stringify(found)).not.toMatch(/ghp_value|Bearer value/);
});

it.each([[{}], [[]], ["x"], [null]])("finds nothing in %j", (settings) => {
  expect(serversIn(settings)).toMatchObject({ ok: false });
});

it("says what it leaves out", () => {
  expect(serversIn({ mcpServers: { a: {}, b: "x", c: SERVER } })).toMatchObject({
    left: [
      { name: "a", because: "it has no command and no address" },
      { name: "b", because: "it has no command and no address" },
    ],
  });
});

it.each([
  ["was switched off", { ...SERVER, disabled: true }, "it is switched off there"],
  ["was not switched on", { ...SERVER, enabled: false }, "it is switched off there"],
  ["has an empty command", { command: "" }, "it has no command and no address"],
  [
    "would lose an argument",
    { command: "rm", args: ["-r", { path: "/tmp/a" }, "--"] },
    "its arguments are not all texts",
  ],
  ["has one argument that is none", { command: "a", args: "b" }, "its arguments are not all texts"],
  [
    "has a place in its command",
    { command: `${place("workspaceFolder")}/run` },
    `its client puts something in the place of \`${place("workspaceFolder")}\``,
  ],
  [
    "has a place in an argument",
    { command: "a", args: ["--key", place("input:key")] },
    `its client puts something in the place of \`${place("input:key")}\``,
  ],
  ["is started in a place", { command: "a", cwd: place("workspaceFolder") }, "its client puts something"],
  ["has its variables in a file", { ...SERVER, envFile: ".env" }, "`envFile`"],
  ["speaks what nobody does any more", { type: "sse", url: "https://a.example/sse" }, "HTTP+SSE"],
  ["is this gate", { command: "npx", args: ["-y", "toolgate@1", "mcp", "--config", "a"] }, "this gate itself"],
  ["is this gate in a clone", { command: "node", args: ["/a/bin/toolgate.js", "mcp"] }, "this gate itself"],
  [
    "has a place in its address",
    { url: `https://${place("HOST")}/mcp` },
    `its client puts something in the place of \`${place("HOST")}\``,
  ],
])("leaves out a server that %s", (_, server, because) => {
  const found = serversIn({ mcpServers: { a: server, b: SERVER } });
  expect(found).toMatchObject({ servers: { b: SERVER }, left: [{ name: "a" }] });
  expect(found.ok && found.left[0]?.because).toContain(because);
  expect(Object.keys(found.ok ? found.servers : {})).toEqual(["b"]);
});

it("takes numbers as the texts that they are, and a variable that its client fills in as one that has to be set", () => {
  expect(
    serversIn({ mcpServers: { a: { ...SERVER, env: { PORT: 5, DEBUG: true, ROOT: place("env:ROOT") } } } }),
  ).toEqual({
    ok: true,
    servers: { a: { ...SERVER, env: { PORT: "5", DEBUG: "true", ROOT: { secret: "TOOLGATE_A_ROOT" } } } },
    secrets: ["TOOLGATE_A_ROOT"],
    left: [],
    dropped: [],
  });
});

it("says which variables it does not copy, and takes a server that only has a name like ours", () => {
  const env = { PATH: "/opt/bin", NODE_OPTIONS: "--require ./a.js", ROOT: "/a" };
  expect(
    serversIn({ mcpServers: { a: { ...SERVER, env }, b: { command: "toolgate-notes", args: ["mcp"] } } }),
  ).toMatchObject({
    servers: { a: { env: { ROOT: "/a" } }, b: { command: "toolgate-notes" } },
    dropped: ["a: PATH", "a: NODE_OPTIONS"],
    left: [],
  });
});

it("gives each server a variable of its own, whatever both are called", () => {
  const env = (name: string) => ({ ...SERVER, env: { [name]: "ghp_value" } });
  const found = serversIn({ mcpServers: { "a-b": env("C_TOKEN"), a: env("B_C_TOKEN"), "a b": env("C_TOKEN") } });
  const variables = Object.values(found.ok ? found.servers : {}).map((server) =>
    Object.values(server["env"] as object),
  );
  expect(variables.flat()).toEqual([
    { secret: "TOOLGATE_A_B_C_TOKEN" },
    { secret: "TOOLGATE_A_B_C_TOKEN_2" },
    { secret: "TOOLGATE_A_B_2_C_TOKEN" },
  ]);
  expect(found).toMatchObject({
    secrets: ["TOOLGATE_A_B_C_TOKEN", "TOOLGATE_A_B_C_TOKEN_2", "TOOLGATE_A_B_2_C_TOKEN"],
  });
});

it("gives no server a variable that the config names: it holds the secret of another one", () => {
  const config = "tools:\n  mcp:\n    a: { command: x, env: { B_TOKEN: { secret: TOOLGATE_A_B_TOKEN } } }\n";
  const given = { mcpServers: { "a-b": { url: "https://b.example/mcp", headers: { Token: "ghp_value" } } } };
  expect(serversIn(given, config)).toMatchObject({
    servers: { "a-b": { headers: { Token: { secret: "TOOLGATE_A_B_TOKEN_2" } } } },
    secrets: ["TOOLGATE_A_B_TOKEN_2"],
  });
  expect(serversIn(given, config.replace("_TOKEN }", "_TOKENS }"))).toMatchObject({ secrets: ["TOOLGATE_A_B_TOKEN"] });
});

it.each<[string, object]>([
  ["a text", { ...SERVER, env: "A=b" }],
  ["a list of texts", { ...SERVER, env: ["A=b"] }],
  ["a list without names", { ...SERVER, env: [{ value: "b" }] }],
  ["nothing", { ...SERVER, env: { A_TOKEN: "ghp_value", B: null } }],
  ["an object", { ...SERVER, env: { A: { secret: "A" } } }],
  ["headers that are none", { url: "https://b.example/", headers: [1] }],
])("leaves a server out whose values are %s, and asks for none of its secrets", (_, server) => {
  expect(serversIn({ mcpServers: { a: server as JsonObject, c: SERVER } })).toMatchObject({
    servers: { c: SERVER },
    left: [{ name: "a", because: expect.stringContaining("is no object of texts") }],
    secrets: [],
  });
});

it("names the line of a mistake, also behind a comment of several", () => {
  const lines = withoutComments('{ /* one\ntwo\nthree */\n "a": // four\n oh }').split("\n");
  expect(lines.map((line) => line.trim())).toEqual(["{", "", "", '"a":', "oh }"]);
});

it("reads comments and commas as editors write them, and leaves texts alone", () => {
  const text = '{ // a\n "a": "// no, /* none */ \\" ,}", /* b\n */ "b": [1, 2,],\n}';
  expect(JSON.parse(withoutComments(text))).toEqual({ a: '// no, /* none */ " ,}', b: [1, 2] });
});
