import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ASSETS } from "../../../src/doors/console/assets.ts";
import { ADMIN, openTestServer, rawRequest, type TestServer } from "../../support/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
const ask = (path: string, headers = {}, method = "GET") => rawRequest(server.url, { path, headers, method });
const NAMED = ASSETS.map(({ path }) => path);

describe.each(NAMED)("%s", (path) => {
  it("is sent without a token, with headers that let nothing but itself run", async () => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toEqual([
      "default-src 'none'",
      ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
      ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
      ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("set-cookie")).toBeNull();
  });

  it("is not sent again to who has it", async () => {
    const etag = (await ask(path)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
    expect(await ask(path, { "If-None-Match": `"other", W/${etag}` })).toMatchObject({ status: 304, body: "" });
    expect(await ask(path, { "If-None-Match": '"other"' })).toMatchObject({ status: 200 });
  });

  it("has GET and HEAD, and no other method", async () => {
    expect(await ask(path, {}, "HEAD")).toMatchObject({ status: 200, body: "" });
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const refused = await ask(path, {}, method);
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it.each([
    ["another host", { Host: "evil.example" }, "HOST_FORBIDDEN"],
    ["a rebound name", { Host: "rebind.evil.example:7420" }, "HOST_FORBIDDEN"],
    ["another site's origin", { Origin: "https://evil.example" }, "ORIGIN_FORBIDDEN"],
    ["no site's origin", { Origin: "null" }, "ORIGIN_FORBIDDEN"],
    ["another site's request", { "Sec-Fetch-Site": "cross-site" }, "ORIGIN_FORBIDDEN"],
  ])("refuses %s", async (_, headers, code) => {
    expect(await ask(path, headers)).toMatchObject({ status: 403, body: { code } });
  });
});

describe("the console's files", () => {
  it("say what they are, and are kept where their name changes with them", async () => {
    for (const path of NAMED) {
      const { headers } = await ask(path);
      const kind = path === "/" ? "html" : (path.split(".").at(-1) ?? "");
      expect(headers.get("content-type")).toBe(kind === "svg" ? "image/svg+xml" : TYPES[kind as keyof typeof TYPES]);
      expect(headers.get("cache-control")).toBe(path === "/" ? "no-cache" : "public, max-age=31536000, immutable");
    }
  });

  it("hold no script or style in the page itself, and name nothing that is not there", async () => {
    const { body } = await ask("/");
    const page = String(body);
    expect(page).not.toMatch(/<script(?![^>]* src=)[^>]*>|<style|\son\w+=|style=/i);
    const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path ?? "");
    expect(named.toSorted()).toEqual(NAMED.filter((path) => path !== "/").toSorted());
  });

  it("are all that is there without a token", async () => {
    const paths = [
      "/console",
      "/console/",
      "/console/main.js",
      "/console/../etc/passwd",
      "/console/%2e%2e/package.json",
    ];
    for (const path of [...paths, "/index.html", "/favicon.ico", "//", "/?x=1/../.."]) {
      const { status } = await ask(path);
      expect([path, status]).toEqual([path, path === "/?x=1/../.." ? 200 : 401]);
    }
  });

  it("are the same for everybody: they hold no token and nothing of the workspace", async () => {
    for (const path of NAMED) {
      const { body } = await ask(path);
      expect(JSON.stringify(body)).not.toContain(ADMIN);
      expect(JSON.stringify(body)).not.toContain(server.scratch.workspace);
    }
  });
});
