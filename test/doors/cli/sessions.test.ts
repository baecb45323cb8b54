import { join } from "node:path";
import { Client, type ClientCapabilities } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { batch } from "../../../src/doors/cli/batch.ts";
import { call } from "../../../src/doors/cli/call.ts";
import { explain } from "../../../src/doors/cli/explain.ts";
import { sessions } from "../../../src/doors/cli/sessions.ts";
import { openGate } from "../../../src/index.ts";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { CONFIG, WRITE_ALLOWED } from "./configs.ts";
import { invoked } from "./invoked.ts";

const LEASE = `tools: [read_file]
read: ["./**"]
for: 8h
`;

const json = { flags: { json: true } };

interface Opened {
  readonly token: string;
  readonly session: { readonly id: string; readonly label: string };
}

async function opened(cli: Cli, flags: Record<string, string> = {}): Promise<Opened> {
  cli.put("lease.yaml", LEASE);
  const { out, code, err } = await invoked(cli, sessions, ["open"], {
    flags: { lease: "lease.yaml", json: true, ...flags },
  });
  if (code !== 0) throw new Error(out + err);
  return JSON.parse(out) as Opened;
}

const lines = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

describe("toolgate sessions", () => {
  it("open prints the token alone on standard output, and the session beside it", async () => {
    using cli = openCli(CONFIG);
    cli.put("lease.yaml", LEASE);
    const { code, out, err } = await cli.run([
      "sessions",
      "open",
      "--lease",
      "lease.yaml",
      "--label",
      "re\u001bviewer",
    ]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^tgs_[0-9a-f]{32}\.[\w-]{43}\n$/)]);
    expect(err).toContain("re\\u{1b}viewer");
    await using gate = await closing(cli);
    expect(await gate.gate.sessions.check(out.trim())).toMatchObject({ kind: "open" });
  });

  it("list shows the one that everybody has, and those that were opened", async () => {
    using cli = openCli(CONFIG);
    const { session } = await opened(cli, { label: "one" });
    const { out } = await invoked(cli, sessions, ["list"], json);
    expect(lines(out)).toMatchObject([
      { kind: "implicit", lease: { tools: "everything" } },
      { kind: "opened", id: session.id, label: "one", lease: { tools: ["read_file"] } },
    ]);
    const plain = await invoked(cli, sessions);
    expect(plain.out.split("\n")).toHaveLength(3);
    expect(plain.out).toContain("this process, bound by nothing but the rules");
    expect(plain.out).toMatch(/until \d{4}-.*, tools read_file, one/);
    expect(plain.out + out).not.toContain("tgs_");
  });

  it("list shows all of them, page by page", async () => {
    using cli = openCli(CONFIG);
    {
      await using gate = await closing(cli);
      for (let i = 0; i < 101; i++) await gate.gate.sessions.open({});
    }
    const { out } = await invoked(cli, sessions, ["list"], json);
    expect(lines(out)).toHaveLength(102);
    expect((await invoked(cli, sessions)).out).toContain("tools none");
  });

  it("open --parent makes one that may do no more", async () => {
    using cli = openCli(CONFIG);
    const { session } = await opened(cli);
    const child = await opened(cli, { parent: session.id });
    expect((await invoked(cli, sessions)).out).toContain(`below ${session.id}`);
    expect((await invoked(cli, sessions, ["revoke", session.id], { flags: { reason: "lost" } })).code).toBe(0);
    expect((await invoked(cli, sessions)).out).toContain(`${child.session.id}  ended`);
  });

  it("renew gives a new end, and refuses more rights", async () => {
    using cli = openCli(CONFIG);
    const { session } = await opened(cli);
    const renewed = await invoked(cli, sessions, ["renew", session.id], { flags: { for: "9h", json: true } });
    expect(JSON.parse(renewed.out)).toMatchObject({ id: session.id, state: "open", renewedAt: expect.any(String) });
    cli.put("more.yaml", "tools: everything");
    const wider = await invoked(cli, sessions, ["renew", session.id], { flags: { lease: "more.yaml" } });
    expect([wider.code, wider.err]).toEqual([3, expect.stringContaining("LEASE_SCOPE")]);
  });

  it("close ends it, once", async () => {
    using cli = openCli(CONFIG);
    const { session } = await opened(cli);
    expect(await invoked(cli, sessions, ["close", session.id])).toMatchObject({
      code: 0,
      out: expect.stringContaining("ended"),
    });
    expect(await invoked(cli, sessions, ["close", session.id], json)).toMatchObject({
      code: 3,
      out: expect.stringContaining("SESSION_UNKNOWN"),
    });
  });

  it.each<[string[], Record<string, string>, string]>([
    [["forge"], {}, "`sessions forge` does not exist"],
    [["open"], {}, "no lease is named"],
    [["open"], { lease: "none.yaml" }, "there is no such file"],
    [["open"], { lease: "bad.yaml" }, "the lease bad.yaml:1:5"],
    [["close"], {}, "no session is named"],
    [["renew"], { for: "1h" }, "no session is named"],
    [["renew", "x"], {}, "neither a time nor a lease is given"],
    [["list", "x"], {}, "one word too many"],
    [["close", "x", "y"], {}, "one word too many"],
  ])("%j %j is not understood", async (words, flags, message) => {
    using cli = openCli(CONFIG);
    cli.put("bad.yaml", "a: [");
    await expect(invoked(cli, sessions, words, { flags })).rejects.toThrow(message);
  });

  it("a file that holds no lease is refused with each place", async () => {
    using cli = openCli(CONFIG);
    cli.put("lease.yaml", "tools: [read_file]\nreads: []\nread: [src]\n");
    const { code, err } = await invoked(cli, sessions, ["open"], { flags: { lease: "lease.yaml" } });
    expect([code, err]).toEqual([3, expect.stringContaining("lease.yaml:2:1: `reads`")]);
    cli.put("lease.yaml", "budget:\n  calls: -1\nread:\n  - ./a\n  - 7\n");
    const places = (await invoked(cli, sessions, ["open"], { flags: { lease: "lease.yaml" } })).err;
    expect(places).toContain("lease.yaml:2:3: `budget.calls` must be at least 0");
    expect(places).toContain("lease.yaml:5:5: `read[1]` must be a string");
    expect(places).toContain("hint `toolgate sessions --help`");
  });

  it("and with --json each place by file, line and column, in their order", async () => {
    using cli = openCli(CONFIG);
    cli.put("lease.yaml", "read: [src]\nreads: []\nbudget:\n  cals: 3\n");
    const { out } = await invoked(cli, sessions, ["open"], { flags: { lease: "lease.yaml", json: true } });
    const file = "lease.yaml";
    expect(JSON.parse(out).refusal.errors).toEqual([
      { file, line: 1, column: 8, field: "read[0]", rule: "format", message: expect.stringContaining("`./src`") },
      {
        ...{ file, line: 2, column: 1, field: "reads", rule: "unknown_field" },
        message: "`reads` is not a known field, the nearest is `read`",
      },
      {
        ...{ file, line: 4, column: 3, field: "budget.cals", rule: "unknown_field" },
        message: "`budget.cals` is not a known field, the nearest is `calls`",
      },
    ]);
  });

  it("a file that is not YAML, and one that renews to what is no lease, say where", async () => {
    using cli = openCli(CONFIG);
    cli.put("bad.yaml", "tools: [\n");
    const broken = invoked(cli, sessions, ["open"], { flags: { lease: "bad.yaml" } });
    await expect(broken).rejects.toThrow(/^the lease bad\.yaml:\d+:\d+: /);
    await expect(invoked(cli, sessions, ["open"], { flags: { lease: "gone.yaml" } })).rejects.toThrow("gone.yaml");
    const { session } = await opened(cli);
    cli.put("bad.yaml", "tools: []\nfor: later\n");
    const { code, err } = await invoked(cli, sessions, ["renew", session.id], { flags: { lease: "bad.yaml" } });
    expect([code, err]).toEqual([3, expect.stringContaining("bad.yaml:2:1: ")]);
  });
});

it.each<[string, Record<string, string>]>([
  ["close", {}],
  ["revoke", {}],
  ["renew", { for: "1h" }],
])("`toolgate sessions %s` of an id that no open session has says where to look", async (word, flags) => {
  using cli = openCli(CONFIG);
  const { code, err } = await invoked(cli, sessions, [word, "nosuch"], { flags });
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/SESSION_UNKNOWN no open session has this id\n {2}hint `toolgate sessions list`/),
  ]);
});

describe("toolgate sessions renew --lease", () => {
  it.each([{}, { for: "1h" }])("an empty file is no lease that changes nothing: %j", async (flags) => {
    using cli = openCli(CONFIG);
    const { session } = await opened(cli);
    cli.put("empty.yaml", "");
    const { code, err } = await invoked(cli, sessions, ["renew", session.id], {
      flags: { lease: "empty.yaml", ...flags },
    });
    expect([code, err]).toEqual([3, expect.stringContaining("empty.yaml:1:1: a lease has to be an object")]);
  });
});

describe("TOOLGATE_TOKEN", () => {
  const withToken = (cli: Cli, token: string): Cli => ({ ...cli, env: { ...cli.env, TOOLGATE_TOKEN: token } });

  it("makes calls in its session, and only what its lease covers", async () => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "a");
    cli.put(
      "calls.jsonl",
      '{"tool":"read_file","input":{"path":"a.txt"}}\n{"tool":"list_directory","input":{"path":"."}}\n',
    );
    const { token, session } = await opened(cli);
    const bound = withToken(cli, token);
    expect((await invoked(bound, call, ["read_file", '{"path":"a.txt"}'])).code).toBe(0);
    const beyond = await invoked(bound, call, ["list_directory", '{"path":"."}'], json);
    expect([beyond.code, beyond.out]).toEqual([3, expect.stringContaining("LEASE_SCOPE")]);
    const explained = await invoked(bound, explain, ["list_directory", '{"path":"."}'], json);
    expect(JSON.parse(explained.out)).toMatchObject({ decision: "deny", code: "LEASE_SCOPE" });
    const many = await invoked(bound, batch, ["calls.jsonl"]);
    expect(lines(many.out)).toMatchObject([{ kind: "completed" }, { refusal: { code: "LEASE_SCOPE" } }]);
    await invoked(cli, sessions, ["close", session.id]);
    for (const [command, words] of [
      [call, ["read_file", '{"path":"a.txt"}']],
      [explain, ["read_file", '{"path":"a.txt"}']],
      [batch, ["calls.jsonl"]],
    ] as const) {
      const refused = await invoked(bound, command, words);
      expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("LEASE_REVOKED")]);
    }
  });

  it("that is no token refuses all, and is not shown", async () => {
    using cli = openCli(CONFIG);
    const refused = await invoked(withToken(cli, "tgs_guessed"), call, ["read_file", '{"path":"a.txt"}']);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("SESSION_UNKNOWN")]);
    expect(refused.err).not.toContain("guessed");
  });
});

describe("toolgate call --key", () => {
  it("is not made twice, and tells the same again", async () => {
    using cli = openCli(WRITE_ALLOWED);
    const made = () =>
      invoked(cli, call, ["write_file", '{"path":"a.txt","content":"x"}'], { flags: { key: "k", json: true } });
    const first = await made();
    cli.put("a.txt", "changed since");
    const second = await made();
    expect([first.code, second.out]).toEqual([0, first.out]);
    expect(cli.text("a.txt")).toBe("changed since");
    const other = await invoked(cli, call, ["write_file", '{"path":"b.txt","content":"x"}'], { flags: { key: "k" } });
    expect([other.code, other.err]).toEqual([3, expect.stringContaining("DEDUPE_MISMATCH")]);
  });
});

async function closing(cli: Cli) {
  const gate = await openGate({ config: join(cli.workspace, "toolgate.yaml") });
  return { gate, [Symbol.asyncDispose]: () => gate.close() };
}

describe("TOOLGATE_TOKEN of `toolgate mcp`", () => {
  const served = async (cli: Cli, token: string, capabilities: ClientCapabilities = {}) => {
    const env = { ...cli.env, TOOLGATE_TOKEN: token };
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, args: [BUILT_PROGRAM, "mcp"], cwd: cli.workspace, env, stderr: "pipe" },
    });
    const client = new Client({ name: "bound", version: "1" }, { capabilities, versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    return client;
  };

  it("binds every call to its lease, and serves nobody once it is revoked", async () => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "a");
    const { token, session } = await opened(cli);
    const client = await served(cli, token);
    expect(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } })).not.toHaveProperty("isError");
    const beyond = await client.callTool({ name: "list_directory", arguments: { path: "." } });
    expect(JSON.stringify(beyond)).toContain("LEASE_SCOPE");
    await invoked(cli, sessions, ["revoke", session.id]);
    const revoked = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
    expect(JSON.stringify(revoked)).toContain("LEASE_REVOKED");
    await client.close();
    const again = await cli.run(["mcp"], { env: { TOOLGATE_TOKEN: token } });
    expect(again).toMatchObject({ code: 3, out: "", err: expect.stringContaining("LEASE_REVOKED") });
  });

  it("is not asked what it asks for: its questions wait for a person", async () => {
    using cli = openCli("rules:\n  - { id: ask, effect: ask, otherwise: true, touch: { write: ['./**'] } }\n");
    await using own = await closing(cli);
    const opening = await own.gate.sessions.open({ tools: "everything", read: ["./**"], write: ["./**"] });
    if (opening.kind !== "opened") throw new Error("not opened");
    const { token } = opening;
    const client = await served(cli, token, { elicitation: { form: {} } });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "always" } }));
    const call = client.callTool({ name: "write_file", arguments: { path: "a.txt", content: "x" } });
    await expect.poll(() => own.gate.approvals.list()).toHaveLength(1);
    const [question] = await own.gate.approvals.list();
    await own.gate.approvals.answer(question?.approvalId ?? "", { kind: "reject", who: "ann" });
    expect(JSON.stringify(await call)).toContain("APPROVAL_REJECTED");
    await client.close();
    const asked = await cli.run(["mcp", "--ask", "client"], { env: { TOOLGATE_TOKEN: token } });
    expect(asked).toMatchObject({ code: 3, out: "", err: expect.stringContaining("`--ask client` is for people") });
  });
});
