import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adminToken } from "../../src/config/admin-token.ts";
import { loadConfig } from "../../src/config/config.ts";
import { openScratch } from "./scratch.ts";

const HASH = `sha256:${"0".repeat(64)}`;

describe("server", () => {
  const load = (server: unknown) => {
    using scratch = openScratch();
    writeFileSync(join(scratch.folder, "toolgate.yaml"), JSON.stringify({ server }));
    return loadConfig({ path: join(scratch.folder, "toolgate.yaml"), variables: {} });
  };

  it("has defaults", () => {
    const loaded = load({});
    expect(loaded.ok && loaded.config.server).toEqual({
      host: "127.0.0.1",
      port: 7420,
      hosts: [],
      callsPerMinute: 6000,
      users: [],
    });
  });

  it("has users with hashed tokens", () => {
    const loaded = load({ users: [{ name: "Ann B", token: HASH, roles: ["approver"] }] });
    expect(loaded.ok && loaded.config.server.users).toEqual([
      { name: "Ann B", tokenHash: "0".repeat(64), roles: ["approver"] },
    ]);
  });

  it.each([
    ["a name with a control character", { users: [{ name: "a\u001b", token: HASH, roles: [] }] }, "is not a name"],
    ["our own name", { users: [{ name: "admin", token: HASH, roles: [] }] }, "the gate's own name"],
    [
      "one name twice",
      {
        users: [
          { name: "a", token: HASH, roles: [] },
          { name: "a", token: HASH.replace("0", "1"), roles: [] },
        ],
      },
      "is there twice",
    ],
    [
      "one token twice",
      {
        users: [
          { name: "a", token: HASH, roles: [] },
          { name: "b", token: HASH, roles: [] },
        ],
      },
      "two users have the same token",
    ],
    [
      "a token in the clear",
      { users: [{ name: "a", token: "x".repeat(71), roles: [] }] },
      "has to be given as `sha256:`",
    ],
    ["a host with a path", { hosts: ["a.example/x"] }, "is not a host name"],
    ["a port that is none", { port: 70_000 }, "server.port"],
    ["no calls a minute", { callsPerMinute: 0 }, "server.callsPerMinute"],
    ["more calls than a disk holds", { callsPerMinute: 1_000_001 }, "server.callsPerMinute"],
  ])("refuses %s", (_, server, message) => {
    const loaded = load(server);
    expect(loaded.ok ? [] : loaded.problems.map((problem) => problem.message).join()).toContain(message);
  });
});

describe("the administrator's token", () => {
  it("is made once", () => {
    using scratch = openScratch();
    const made = adminToken(join(scratch.folder, "state"));
    const again = adminToken(join(scratch.folder, "state"));
    expect(made.ok && again.ok && made.token.reveal() === again.token.reveal()).toBe(true);
    expect(JSON.stringify(made)).toContain("[secret]");
  });

  it("is no link, no folder and no other text", () => {
    using scratch = openScratch();
    writeFileSync(join(scratch.folder, "admin.token"), "short\n", { mode: 0o600 });
    expect(adminToken(scratch.folder)).toMatchObject({ ok: false });
    mkdirSync(join(scratch.folder, "other", "admin.token"), { recursive: true });
    expect(adminToken(join(scratch.folder, "other"))).toMatchObject({ ok: false });
  });
});
