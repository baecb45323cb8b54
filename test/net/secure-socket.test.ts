import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWeb } from "../../src/net/guarded-fetch.ts";
import { needs } from "../support/parts.ts";
import { NEVER } from "../support/sample-calls.ts";
import { EVERYTHING, rawServer, requestTo, testNet } from "./test-net.ts";

needs("openssl")("https", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  let ca = "";
  let names: (string | false)[] = [];
  const server = createServer((_, response) => response.end("secure"));

  beforeAll(async () => {
    const subject = ["-subj", "/CN=a.example", "-addext", "subjectAltName=DNS:a.example,IP:127.0.0.1"];
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    execFileSync("openssl", [...made, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
    ca = readFileSync(cert, "utf8");
    server.setSecureContext({ key: readFileSync(key), cert: ca });
    server.on("secureConnection", (socket) => names.push(socket.servername ?? false));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const port = () => (server.address() as AddressInfo).port;
  const fetched = async (url: string, believed: string | undefined = ca) => {
    names = [];
    const net = testNet({
      names: { "a.example": ["1.0.0.1"], "b.example": ["1.0.0.1"] },
      internet: port(),
      ...(believed !== "" && { ca: believed }),
    });
    const answer = await openWeb(net).fetch(requestTo(url), EVERYTHING, NEVER);
    if (answer.kind === "answered") return Buffer.from(answer.response.body).toString();
    return answer.kind === "failed" ? `${answer.fault.code}: ${answer.fault.message}` : answer.kind;
  };

  it("is spoken with a host that proves its name, over the connection that was checked", async () => {
    expect(await fetched("https://a.example/")).toBe("secure");
    expect(names).toEqual(["a.example"]);
  });
  it("and with one that proves its address", async () =>
    expect(await fetched(`https://127.0.0.1:${port()}/`)).toBe("secure"));
  it("and with nobody else", async () => {
    const unproven = (host: string) => `CONNECT_FAILED: \`https://${host}\` could not prove that it is that host (TLS)`;
    expect(await fetched("https://b.example/")).toBe(unproven("b.example"));
    expect(await fetched("https://a.example/", "")).toBe(unproven("a.example"));
  });
  it("and not with a server that does not speak it", async () => {
    await using plain = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    expect(await fetched(`https://127.0.0.1:${plain.port}/`)).toContain("CONNECT_FAILED");
  });
  it("and is given up when it takes too long", async () => {
    const stop = new AbortController();
    await using silent = await rawServer((socket) => socket.on("data", () => stop.abort()));
    const request = requestTo(`https://127.0.0.1:${silent.port}/`, { method: "POST" });
    expect(await openWeb(testNet({ ca })).fetch(request, EVERYTHING, stop.signal)).toEqual({ kind: "stopped" });
  });
  it("never goes on without it", async () => {
    await using plain = await rawServer((socket) => socket.end());
    const net = testNet({ names: { "a.example": ["1.0.0.1"] }, internet: plain.port });
    const { nextHop } = await import("../../src/net/next-hop.ts");
    const hop = {
      url: { scheme: "https", host: "a.example", port: 443, path: "/", href: "https://a.example/" } as const,
      method: "GET",
      headers: {},
      secretHeader: null,
      body: null,
    };
    expect(nextHop(hop, 302, "http://a.example:443/")).toMatchObject({ code: "EGRESS_BLOCKED" });
    expect(net.dialed).toEqual([]);
  });
});
