import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openEgressProxies } from "../../src/net/egress-proxy.ts";
import { openWeb } from "../../src/net/guarded-fetch.ts";
import type { EgressProxy } from "../../src/ports/egress.ts";
import { withCorpus } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { grant, httpServer, type LocalServer, requestTo, spoken, type TestNet, testNet } from "./test-net.ts";

interface Row {
  readonly url: string;
  readonly class: string;
}

/** Everything is granted that a wildcard can grant, and every name leads to this machine or a cloud's metadata. */
const WIDE_OPEN = grant("*:*");
const INSIDE = ["127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"];

withCorpus<Row>("ssrf_urls.jsonl")("the SSRF corpus", (rows) => {
  let sentinel: LocalServer;
  let net: TestNet;
  let proxy: EgressProxy;
  const folder = mkdtempSync(join(tmpdir(), "tg-ssrf-"));
  const path = join(folder, "proxy.sock");

  beforeAll(async () => {
    sentinel = await httpServer((_, response) => response.end("reached"));
    const toInside = testNet({ internet: sentinel.port });
    let next = 0;
    // Also an address of this machine would reach the sentinel: the test fails if anything is dialed at all.
    net = { ...toInside, resolve: async () => [INSIDE[next++ % INSIDE.length] ?? ""] };
    proxy = await openEgressProxies(net).open({ socketPath: path, grant: WIDE_OPEN });
  });
  afterAll(async () => {
    await proxy.close();
    await sentinel[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(rows)("$url", async ({ url }) => {
    const answer = await openWeb(net).fetch(requestTo(url), WIDE_OPEN, NEVER);
    expect(answer).toMatchObject({ kind: "failed", fault: { code: "EGRESS_BLOCKED" } });

    // As a redirect of a public server.
    await using redirecting = await httpServer((_, response) => {
      // What no header can hold, no server can send.
      response
        .writeHead(302, {
          location: Buffer.from(url)
            .toString("latin1")
            .replace(/[\r\n\0]/g, ""),
        })
        .end();
    });
    const outside = testNet({ names: { "public.example": ["1.0.0.1"] }, internet: redirecting.port });
    const publicOnly = {
      ...outside,
      resolve: (name: string, signal: AbortSignal) =>
        name === "public.example" ? outside.resolve(name, signal) : net.resolve(name, signal),
    };
    const redirected = await openWeb(publicOnly).fetch(requestTo("http://public.example/"), WIDE_OPEN, NEVER);
    expect(redirected).toMatchObject({ kind: "failed", fault: { code: "EGRESS_BLOCKED" } });
    expect(outside.dialed).toEqual(["1.0.0.1:80"]);

    // Through the proxy, as a URL and as a host.
    const asUrl = Buffer.from(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await spoken({ path }, asUrl)).toMatch(/^HTTP\/1.1 4\d\d /);
    const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? url;
    const authority = /:\d+$/.test(host) ? host : `${host}:80`;
    const asHost = Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await spoken({ path }, asHost)).toMatch(/^HTTP\/1.1 4\d\d /);
  });

  it("has reached nobody", () => {
    expect(net.dialed).toEqual([]);
    expect(sentinel.connections()).toBe(0);
  });

  it("would have reached somebody without the check", async () => {
    const open = { covers: () => true, names: () => true };
    const bite = await Promise.all(
      rows.map(async ({ url }) => {
        const one = testNet({ dial: () => Promise.reject(new Error("counted only")) });
        await openWeb({ ...one, resolve: net.resolve }).fetch(requestTo(url), open, NEVER);
        return one.dialed.length > 0;
      }),
    );
    expect(bite.filter(Boolean).length).toBeGreaterThan(rows.length / 2);
  });
});
