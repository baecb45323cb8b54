import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { Tokens } from "../../../src/doors/wire/tokens.ts";

/** What somebody with fresh eyes got in by. */
describe("logins", () => {
  const users = [{ name: "bob", roles: ["approver"], tokenHash: digestOfText("bob's") }];
  const open = (nowMs: () => number = Date.now) =>
    new Tokens({
      adminToken: "admin's",
      users: () => users,
      sessions: { check: async () => ({ kind: "refused", refusal: {} as never }), find: async () => null },
      nowMs,
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

  it("of one person don't push out those of others, only their own oldest", async () => {
    const tokens = open();
    const [bob, admin] = [await tokens.identify("bob's", ""), await tokens.identify("admin's", "")];
    if ("refusal" in bob || "refusal" in admin) throw new Error("they are not known");
    const owner = async (token: string | null | undefined) => {
      const found = await tokens.identify(token ?? "", "");
      return "refusal" in found ? null : found.actor;
    };
    const admins = tokens.login(admin)?.token;
    const bobs = Array.from({ length: 300 }, () => tokens.login(bob)?.token);
    expect(await owner(admins)).toBe("admin");
    const known = await Promise.all(bobs.map(owner));
    expect(known.indexOf("user:bob")).toBe(300 - 100);
    expect(known.at(-1)).toBe("user:bob");
  });

  it("end with the token that they were made of", async () => {
    const tokens = open();
    const bob = await tokens.identify("bob's", "");
    if ("refusal" in bob) throw new Error("bob is not known");
    const given = tokens.login(bob);
    const code = tokens.newCode(bob)?.code ?? "";
    const [before] = users.splice(0, 1, { name: "bob", roles: ["approver"], tokenHash: digestOfText("new") });
    expect(await tokens.identify(given?.token ?? "", "")).toHaveProperty("refusal");
    expect(tokens.identifyCode(code)).toBeNull();
    if (before !== undefined) users.splice(0, 1, before);
  });

  it("are over after twelve hours, and codes after ten minutes", async () => {
    let nowMs = 0;
    const tokens = open(() => nowMs);
    const admin = await tokens.identify("admin's", "");
    if ("refusal" in admin) throw new Error("the administrator is not known");
    const token = tokens.login(admin)?.token ?? "";
    const [early, late] = [tokens.newAdminCode(), tokens.newAdminCode()];
    nowMs = 10 * 60_000 - 1;
    expect(tokens.identifyCode(early)).toMatchObject({ actor: "admin" });
    nowMs += 1;
    expect(tokens.identifyCode(late)).toBeNull();
    nowMs = LIMITS.loginMs.default - 1;
    const still = await tokens.identify(token, "");
    expect(still).toMatchObject({ actor: "admin", by: "login" });
    // A login can't make itself longer.
    expect("refusal" in still ? null : tokens.login(still)?.token).toBeNull();
    nowMs += 1;
    expect(await tokens.identify(token, "")).toHaveProperty("refusal");
  });
});
