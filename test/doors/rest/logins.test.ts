import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loginFiles } from "../../../src/config/login-files.ts";
import { ROUTES } from "../../../src/doors/rest/routes.ts";
import { Tokens } from "../../../src/doors/wire/tokens.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";
import { openTestServer, rawRequest, type TestServer, user } from "../../support/test-server.ts";

const USERS = { config: { server: { users: [user("ann", "approver"), user("eve")] } } };

const logIn = (server: TestServer, authorization: string) =>
  rawRequest(server.url, {
    method: "POST",
    path: "/login",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: "{}",
  });

const cookieOf = (headers: Headers): string => headers.get("set-cookie")?.split(";")[0] ?? "";

/** The status of a stream, which is closed at once. */
async function streamStatus(url: string, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${url}${path}`, { headers });
  await answer.body?.cancel();
  return answer.status;
}

describe("a one-time code", () => {
  it("signs in once", async () => {
    await using server = await openTestServer(USERS);
    const { body } = await server.post("/login/code");
    const first = await logIn(server, `Code ${body.code}`);
    expect(first).toMatchObject({ status: 200, body: { user: "admin", roles: ["admin"] } });
    expect((await server.get("approvals", first.body.token)).status).toBe(200);
    expect(await logIn(server, `Code ${body.code}`)).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
  });

  it("is good for nothing but a login", async () => {
    await using server = await openTestServer(USERS);
    const { body } = await server.post("/login/code");
    for (const Authorization of [`Code ${body.code}`, `Bearer ${body.code}`]) {
      const asked = await rawRequest(server.url, {
        path: "/my/projects/default/approvals",
        headers: { Authorization },
      });
      expect(asked.status).toBe(401);
    }
    expect(await logIn(server, `Bearer ${body.code}`)).toMatchObject({ status: 401 });
    expect((await logIn(server, `Code ${body.code}`)).status).toBe(200);
  });

  it("stands for who asked for it, with their roles, and is not for agents", async () => {
    await using server = await openTestServer(USERS);
    const { body } = await server.post("/login/code", {}, "ann");
    const { body: login } = await logIn(server, `Code ${body.code}`);
    expect(login).toMatchObject({ user: "user:ann", roles: ["approver"] });
    expect((await server.post("sessions", { lease: {} }, login.token)).status).toBe(403);
    const { body: agent } = await server.post("sessions", { lease: { tools: ["read_file"] } });
    expect((await server.post("/login/code", {}, agent.token)).status).toBe(403);
    expect((await server.post("/login", {}, agent.token)).status).toBe(403);
  });

  it("that is guessed, empty or long is refused", async () => {
    await using server = await openTestServer(USERS);
    for (const code of ["", "x", "x".repeat(128), "x".repeat(4000), "__proto__", "constructor"])
      expect((await logIn(server, `Code ${code}`)).status, code).toBe(401);
  });
});

describe("a login", () => {
  it("ends with its logout, and other logins stay", async () => {
    await using server = await openTestServer(USERS);
    const [one, two] = await Promise.all([1, 2].map(async () => (await server.post("/login", {}, "ann")).body.token));
    expect((await server.post("/logout", {}, one)).status).toBe(200);
    expect((await server.get("approvals", one)).status).toBe(401);
    expect((await server.get("approvals", two)).status).toBe(200);
    // With the token itself all of them end.
    await server.post("/logout", {}, "ann");
    expect((await server.get("approvals", two)).status).toBe(401);
    expect((await server.get("approvals", "ann")).status).toBe(200);
  });

  it("survives a restart as a hash in a file that only this user reads, and its logout does too", async () => {
    await using scratch = openScratchGate();
    const open = () =>
      new Tokens({
        adminToken: "admin's",
        users: () => [],
        sessions: { check: async () => ({ kind: "refused", refusal: {} as never }), find: async () => null },
        nowMs: Date.now,
        logins: loginFiles(scratch.stateDir),
      });
    const first = open();
    const admin = await first.identify("admin's", "");
    if ("refusal" in admin) throw new Error("the administrator is not known");
    const token = first.login(admin)?.token ?? "";
    const folder = join(scratch.stateDir, "logins");
    const [name = ""] = readdirSync(folder);
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(name).not.toContain(token);
    const second = open();
    const again = await second.identify(token, "");
    expect(again).toMatchObject({ actor: "admin", by: "login" });
    if (!("refusal" in again)) second.logout(again);
    expect(readdirSync(folder)).toEqual([]);
    expect(await open().identify(token, "")).toHaveProperty("refusal");
  });
});

describe("the cookie of a login", () => {
  const EVENTS = "/my/projects/default/events";

  it("opens one event stream, and a replay of it opens nothing", async () => {
    await using server = await openTestServer(USERS);
    const Cookie = cookieOf((await server.post("/login")).headers);
    expect(await streamStatus(server.url, EVENTS, { Cookie })).toBe(200);
    expect(await streamStatus(server.url, EVENTS, { Cookie })).toBe(401);
  });

  it("reads and changes nothing else, on no route", async () => {
    await using server = await openTestServer(USERS);
    for (const route of ROUTES.filter(({ access, byCookie }) => access !== "public" && !byCookie)) {
      const Cookie = cookieOf((await server.post("/login")).headers);
      const path = route.path.replace("{project}", "default").replaceAll(/\{\w+\}/g, "some_0");
      const { status } = await rawRequest(server.url, {
        method: route.method,
        path,
        headers: { Cookie, "Content-Type": "application/json" },
        ...(route.body && { body: "{}" }),
      });
      expect([route.id, status]).toEqual([route.id, 401]);
    }
    for (const path of ["/mcp", "/a2a", `${EVENTS}/`, "/EVENTS"]) {
      const Cookie = cookieOf((await server.post("/login")).headers);
      expect((await rawRequest(server.url, { path, headers: { Cookie } })).status, path).toBe(401);
    }
  });

  it("means nothing to another server, and has another name there", async () => {
    await using one = await openTestServer(USERS);
    await using two = await openTestServer(USERS);
    const [first, second] = [await one.post("/login"), await two.post("/login")].map(({ headers }) =>
      cookieOf(headers),
    );
    const [name = "", value = ""] = (first ?? "").split("=");
    const other = second?.split("=")[0] ?? "";
    expect(name).toMatch(/^toolgate-[0-9a-f]{16}$/);
    expect(other).not.toBe(name);
    for (const Cookie of [`${name}=${value}`, `${other}=${value}`, `toolgate=${value}`, `${other}=x; ${name}=${value}`])
      expect(await streamStatus(two.url, EVENTS, { Cookie }), Cookie).toBe(401);
    expect(await streamStatus(one.url, EVENTS, { Cookie: `a=b; ${name}=${value}` })).toBe(200);
  });

  it("lives for a minute, is HttpOnly, and ends with the logout", async () => {
    await using server = await openTestServer(USERS);
    const { headers, body } = await server.post("/login");
    expect(headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=60$/);
    await server.post("/logout", {}, body.token);
    expect(await streamStatus(server.url, EVENTS, { Cookie: cookieOf(headers) })).toBe(401);
  });
});
