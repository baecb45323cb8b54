import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import { Tokens } from "../../../src/doors/wire/tokens.ts";

/** What somebody with fresh eyes got in by. */
describe("logins", () => {
  const users = [{ name: "bob", roles: ["approver"], tokenHash: digestOfText("bob's") }];
  const open = () =>
    new Tokens({
      adminToken: "admin's",
      users: () => users,
      sessions: { check: async () => ({ kind: "refused", refusal: {} as never }), find: async () => null },
      nowMs: Date.now,
    });
  const agent = {
    actor: "session:s",
    user: null,
    session: { id: "s", project: "default", lease: EVERYTHING },
    roles: ["caller"],
    by: "token",
  } as const;

  it("are not for agents, which would be taken for the administrator", () => {
    expect(open().login(agent)).toBeNull();
  });

  it("are made of tokens, and not of other logins", async () => {
    const tokens = open();
    const bob = await tokens.identify("bob's", "");
    if ("refusal" in bob) throw new Error("bob is not known");
    const given = tokens.login(bob);
    const again = tokens.identifyCookie(given?.cookie ?? "");
    expect(again).toMatchObject({ user: "bob", by: "cookie" });
    expect(again && tokens.login(again)).toBeNull();
  });

  it("of one person don't push out those of others, only their own oldest", async () => {
    const tokens = open();
    const [bob, admin] = [await tokens.identify("bob's", ""), await tokens.identify("admin's", "")];
    if ("refusal" in bob || "refusal" in admin) throw new Error("they are not known");
    const admins = tokens.login(admin)?.cookie ?? "";
    const bobs = Array.from({ length: 10_001 }, () => tokens.login(bob)?.cookie ?? "");
    expect(tokens.identifyCookie(admins)).toMatchObject({ actor: "admin" });
    expect(bobs.findIndex((cookie) => tokens.identifyCookie(cookie) !== null)).toBe(10_001 - 100);
    expect(tokens.identifyCookie(bobs.at(-1) ?? "")).toMatchObject({ user: "bob" });
  });

  it("end with the token that they were made of", async () => {
    const tokens = open();
    const bob = await tokens.identify("bob's", "");
    if ("refusal" in bob) throw new Error("bob is not known");
    const given = tokens.login(bob);
    const [before] = users.splice(0, 1, { name: "bob", roles: ["approver"], tokenHash: digestOfText("new") });
    expect(tokens.identifyCookie(given?.cookie ?? "")).toBeNull();
    if (before !== undefined) users.splice(0, 1, before);
  });
});
