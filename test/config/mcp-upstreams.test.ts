import { describe, expect, it } from "vitest";
import { upstreamSecrets } from "../../src/config/mcp-secrets.ts";
import { upstreamsFrom } from "../../src/config/mcp-upstreams.ts";
import type { JsonObject } from "../../src/domain/json.ts";

const AT = { base: "/base", workspace: "/ws", variables: { KEY: "secret-key" } };
const found = (mcp: JsonObject) => upstreamsFrom({ tools: { mcp } }, AT);
const problems = (server: JsonObject, name = "up") =>
  found({ [name]: server }).problems.map(({ path, message }) => `${path.slice(2).join(".")}: ${message}`);

describe("servers under tools.mcp", () => {
  it("are none where there is nothing", () => {
    expect(upstreamsFrom({}, AT)).toEqual({ upstreams: [], problems: [], notes: [] });
  });

  it("are programs with their defaults", () => {
    const [up] = found({ up: { command: "node", args: ["a.js"] } }).upstreams;
    expect(up).toEqual({
      name: "up",
      prefix: "up_",
      way: { kind: "stdio", command: "node", args: ["a.js"], cwd: "/ws", env: {} },
      missing: [],
      grant: { read: [], write: [], connect: [] },
      touches: {},
      trust: null,
      timeoutMs: 60_000,
      connection: "shared",
    });
  });

  it("are addresses, with a header that holds a secret", () => {
    const headers = { Authorization: { secret: "KEY", prefix: "Bearer " }, "X-Plain": "plain" };
    const { upstreams } = found({ up: { url: "https://mcp.example/mcp", headers } });
    expect(upstreams[0]?.way).toMatchObject({ kind: "http", url: "https://mcp.example/mcp" });
    expect(JSON.stringify(upstreams)).not.toContain("secret-key");
    expect(upstreamSecrets({ up: { headers } })).toEqual([
      { name: "KEY", at: ["tools", "mcp", "up", "headers", "Authorization"] },
    ]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["a program", { command: "a", env: { A: { secret: "NOT_SET" }, B: { secret: "KEY" }, C: "c" } }, ["NOT_SET"]],
    ["an address", { url: "https://a.example/", headers: { A: { secret: "NOT_SET" } } }, ["NOT_SET"]],
    ["nothing", { command: "a", env: { A: { secret: "EMPTY" }, B: { secret: "EMPTY" } } }, ["EMPTY"]],
    ["what it has", { command: "a", env: { A: { secret: "KEY" } } }, []],
  ])("lack a secret by themselves: %s", (_, server, missing) => {
    const {
      upstreams,
      problems: none,
      notes,
    } = upstreamsFrom(
      { tools: { mcp: { up: server, other: { command: "b" } } } },
      { ...AT, variables: { ...AT.variables, EMPTY: "" } },
    );
    expect(none).toEqual([]);
    expect(upstreams.map((one) => one.missing)).toEqual([missing, []]);
    expect([...new Set(notes.map(({ message }) => message))]).toEqual(
      missing.map((name) => `the variable \`${name}\` is not set: without it the server \`up\` is out of use`),
    );
    for (const { path } of notes) expect(path.slice(0, 3)).toEqual(["tools", "mcp", "up"]);
  });

  it.each<[string, JsonObject, string?]>([
    ["up: a server has either `command` or `url`", {}],
    ["up: a server has either `command` or `url`", { command: "a", url: "https://a.example/" }],
    ["up.comand: `tools.mcp.up.comand` is not a known field, the nearest is `command`", { comand: "a", command: "b" }],
    ["up.url: `file:///a` can't be asked for", { url: "file:///a" }],
    ["up.env: what is reached by HTTP has no environment of ours", { url: "https://a.example/", env: { A: "b" } }],
    ["up.headers: a program has no headers", { command: "a", headers: { A: "b" } }],
    ["up.env.A: it is a text or `{ secret: NAME }`", { command: "a", env: { A: 1 } }],
    ["up.env.A: it is a text or `{ secret: NAME }`", { command: "a", env: { A: { secret: "KEY", other: 1 } } }],
    [
      "up.touches.t: it names inputs for read, write, delete, connect",
      { command: "a", touches: { t: { exec: ["x"] } } },
    ],
    ["up.touches.t: it names inputs for read, write, delete, connect", { command: "a", touches: { t: [] } }],
    ["up.prefix: `a b` can't be a part of a tool's name", { command: "a", prefix: "a b" }],
    ["up.grant.connect.0: ", { command: "a", grant: { connect: ["no port"] } }],
    ["Up: `Up` is no name for a server", { command: "a" }, "Up"],
    [
      "up.headers: more than one header holds a secret",
      { url: "https://a.example/", headers: { A: { secret: "KEY" }, B: { secret: "KEY" } } },
    ],
  ])("have a problem: %s", (message, server, name) => {
    expect(problems(server, name).join("\n")).toContain(message);
    expect(found({ [name ?? "up"]: server }).upstreams).toEqual([]);
  });
});
