import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { type Cli, endOf, openCli } from "../../support/run-cli.ts";

const ASK = JSON.stringify({ rules: [{ id: "ask", effect: "ask", touch: { write: ["./**"] } }] });

async function started(cli: Cli) {
  const child = cli.start(["serve", "--port", "0", "--json"]);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const { url, openapi } = JSON.parse(line);
  const token = cli.text(".toolgate/admin.token").trim();
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${url}/my/projects/default/${path}`, {
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the routes' own tests check their answers
    return { status: response.status, body: (await response.json()) as any };
  };
  return { child, url, openapi, token, ask };
}

const WRITE = { tool_name: "write_file", tool_params: { path: "a.txt", content: "x" }, wait: false };

describe("toolgate serve", () => {
  it("makes a token that is this user's alone, and prints links that are there", async () => {
    using cli = openCli(ASK);
    const { child, openapi, token } = await started(cli);
    const described = await fetch(openapi, { headers: { Authorization: `Bearer ${token}` } });
    expect(await described.json()).toMatchObject({ openapi: "3.1.0" });
    expect(statSync(join(cli.stateDir, "admin.token")).mode & 0o777).toBe(0o600);
    child.kill("SIGTERM");
    expect(await endOf(child)).toMatchObject({ code: 0 });
  });

  /** All that `serve` prints until it listens. */
  async function printed(cli: Cli, more: readonly string[] = []) {
    const child = cli.start(["serve", "--port", "0", ...more]);
    let out = "";
    for await (const line of createInterface({ input: child.stdout })) {
      out += `${line}\n`;
      if (line.includes("/my/projects/default/")) break;
    }
    const [, link = ""] = /console: +(\S+)/.exec(out) ?? [];
    return { child, out, link };
  }

  const logIn = (link: string) => {
    const { origin, hash } = new URL(link);
    const headers = { Authorization: `Code ${hash.replace("#code=", "")}` };
    return fetch(`${origin}/login`, { method: "POST", headers, body: "{}" });
  };

  it("prints a link that signs in once, and never the administrator's token", async () => {
    using cli = openCli(ASK);
    const { child, out, link } = await printed(cli);
    const token = cli.text(".toolgate/admin.token").trim();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/);
    const page = await (await fetch(link)).text();
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    const sent = await fetch(new URL(script, link));
    expect([sent.status, sent.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect((await logIn(link)).status).toBe(200);
    expect((await logIn(link)).status).toBe(401);
    const next = await cli.run(["serve", "--link", "--port", new URL(link).port]);
    expect(next).toMatchObject({ code: 0 });
    expect((await logIn(next.out.trim())).status).toBe(200);
    child.kill("SIGTERM");
    const { code, out: rest, err } = await endOf(child);
    expect(code).toBe(0);
    expect(out + rest + err + next.out).not.toContain(token);
    const gone = await cli.run(["serve", "--link", "--port", new URL(link).port]);
    expect(gone).toMatchObject({ code: 2, err: expect.stringContaining("start `toolgate serve` there") });
  });

  it.each([
    ["list_directory", ["files"]],
    ["run_command", ["shell"]],
  ])("prints a first call that the catalog has: %s or none", async (tool, builtin) => {
    using cli = openCli(JSON.stringify({ tools: { builtin }, rules: [] }));
    const { child, out } = await printed(cli);
    const command = out.slice(out.indexOf("curl"));
    const answer = JSON.parse(execFileSync("bash", ["-c", command], { encoding: "utf8" }));
    expect(answer.refusal?.code).not.toBe("TOOL_UNKNOWN");
    expect(JSON.stringify(answer)).toContain(tool);
    child.kill("SIGTERM");
    await endOf(child);
  });

  it("says where other machines can reach it that nothing encrypts", async () => {
    using cli = openCli(ASK);
    const said = async (host: string) => {
      const child = cli.start(["serve", "--host", host, "--port", "0", "--json"]);
      await once(createInterface({ input: child.stdout }), "line");
      child.kill("SIGTERM");
      return (await endOf(child)).err;
    };
    expect(await said("0.0.0.0")).toContain("other machines can reach 0.0.0.0, and what they send is not encrypted");
    expect(await said("127.0.0.1")).not.toContain("encrypted");
  });

  it("names a host that it can't listen on", async () => {
    using cli = openCli(ASK);
    const { code, err } = await cli.run(["serve", "--host", "host.invalid", "--port", "0"]);
    expect([code, err]).toEqual([2, expect.stringMatching(/can't listen on host\.invalid \(\w+\)/)]);
  });

  it("keeps questions through `kill -9`, and runs what was approved at the next start", async () => {
    using cli = openCli(ASK);
    const first = await started(cli);
    const { body: pending } = await first.ask("tools/execute", WRITE);
    first.child.kill("SIGKILL");
    await endOf(first.child);

    const second = await started(cli);
    expect(second.token).toBe(first.token);
    const { body } = await second.ask("approvals");
    expect(body.approvals).toMatchObject([{ approval_id: pending.approval.id, status: "pending" }]);
    expect(await second.ask(`approvals/${pending.approval.id}/approve`, {})).toMatchObject({ status: 200 });
    for (;;) {
      const { body: record } = await second.ask(`executions/${pending.callId}`);
      if (record.completed_at !== null) {
        expect(record.status).toBe("COMPLETED");
        break;
      }
    }
    expect(cli.text("a.txt")).toBe("x");
    second.child.kill("SIGTERM");
    expect(await endOf(second.child)).toMatchObject({ code: 0 });
  });

  it("tells who waits that the call is pending when it is told to stop", async () => {
    using cli = openCli(ASK);
    const { child, ask } = await started(cli);
    const waiting = ask("tools/execute", { ...WRITE, wait: true });
    for (;;) if ((await ask("approvals")).body.approvals.length > 0) break;
    child.kill("SIGTERM");
    expect(await waiting).toMatchObject({ status: 202, body: { kind: "pending" } });
    expect(await endOf(child)).toMatchObject({ code: 0 });
    expect(cli.lastState()).toBe("awaiting_approval");
  });

  it("says what is wrong with its port", async () => {
    using cli = openCli(ASK);
    expect(await cli.run(["serve", "--port", "70000"])).toMatchObject({ code: 2 });
    const { child, url } = await started(cli);
    const taken = await cli.run(["serve", "--port", new URL(url).port]);
    expect(taken).toMatchObject({ code: 2 });
    expect(taken.err).toContain("another server is there");
    child.kill("SIGTERM");
    await endOf(child);
  });

  it("does not start with a token that others can read", async () => {
    using cli = openCli(ASK);
    cli.put(".toolgate/admin.token", "x".repeat(43));
    const { code, err } = await cli.run(["serve", "--port", "0"]);
    expect(code).toBe(3);
    expect(err).toContain("others may read the file");
  });

  it("makes a token for a user", async () => {
    using cli = openCli();
    const { code, out } = await cli.run(["serve", "--make-token", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      token: expect.stringMatching(/^[\w-]{43}$/),
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });
});
