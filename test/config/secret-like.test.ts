import { describe, expect, it } from "vitest";
import { serversIn } from "../../src/config/client-servers.ts";
import { isSecretAddress, secretArgument } from "../../src/config/secret-like.ts";

describe("an address", () => {
  it.each([
    ["https://user:word@a.example/mcp"],
    ["https://word@a.example/mcp"],
    ["https://a.example/mcp?api_key=abc"],
    ["https://a.example/mcp?x=1&access-token=abc"],
    ["https://a.example/s/4f6b2c1d9e8a7b6c5d4e3f2a1b0c9d8e/mcp"],
    ["https://a.example/mcp/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"],
    ["https://a.example/#0a1b2c3d4e5f60718293a4b5"],
  ])("%s holds a secret", (address) => {
    expect(isSecretAddress(address)).toBe(true);
  });

  it.each([
    ["https://a.example/mcp"],
    ["https://a.example/mcp?key="],
    ["https://a.example/model-context-protocol-servers/mcp"],
    ["http://127.0.0.1:8080/v1"],
    ["no address"],
  ])("%s holds none", (address) => {
    expect(isSecretAddress(address)).toBe(false);
  });
});

describe("arguments", () => {
  it.each<[readonly string[], number | null]>([
    [["--api-key", "abc"], 1],
    [["--api-key=abc"], 0],
    [["-y", "server", "--token", "abc"], 3],
    [["API_KEY=abc"], 0],
    [["postgres://user:word@a.example/db"], 0],
    [["--dsn=postgres://a.example"], 0],
    [["https://a.example/?token=abc"], 0],
    [["--url=https://a.example/?token=abc"], 0],
    [["--api-key", "$KEY"], null],
    [[`--api-key=$${"{KEY}"}`], null],
    [["--api-key", "--verbose"], null],
    [["--keyboard", "us", "--keys=1"], 2],
    [["--keyboard", "us"], null],
    [["-y", "@modelcontextprotocol/server-filesystem", "/home/ann"], null],
    [["--token="], null],
    [[], null],
  ])("%j", (args, found) => {
    expect(secretArgument(args)).toBe(found);
  });
});

it("is copied from nobody's settings, which says what to do instead", () => {
  const found = serversIn({
    mcpServers: {
      a: { url: "https://a.example/mcp?api_key=value-of-a" },
      b: { command: "npx", args: ["-y", "b", "--token", "value-of-b"] },
      c: { command: "npx", env: { ADDRESS: "https://c:value-of-c@c.example" } },
      d: { command: "npx", args: ["d"] },
    },
  });
  expect(found).toMatchObject({
    ok: true,
    servers: { c: { env: { ADDRESS: { secret: "TOOLGATE_C_ADDRESS" } } }, d: { command: "npx", args: ["d"] } },
    left: [
      { name: "a", because: expect.stringContaining("`headers: { NAME: { secret: VARIABLE } }`") },
      { name: "b", because: expect.stringContaining("its argument 4 holds what looks like a secret") },
    ],
  });
  expect(JSON.stringify(found)).not.toContain("value-of");
});
