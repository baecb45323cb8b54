import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../../src/config/environment.ts";
import { blobs } from "../../../src/doors/cli/blobs.ts";
import { call } from "../../../src/doors/cli/call.ts";
import { loadAll } from "../../../src/doors/cli/commands.ts";
import { refusedToAgent } from "../../../src/doors/cli/refused-to-agent.ts";
import { sessions } from "../../../src/doors/cli/sessions.ts";
import { openGate } from "../../../src/index.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { CONFIG, WRITE_ALLOWED } from "./configs.ts";
import { invoked } from "./invoked.ts";

/** What an agent may use, as a person who looks after the gate would list it. */
const FOR_AGENTS = new Set([
  ...["call", "batch", "explain", "legacy", "doctor", "completion bash", "completion zsh", "completion fish"],
  ...["mcp", "tools", "tools check", "blobs get", "sessions", "sessions list"],
]);

describe("with a token in the environment", () => {
  it.each(["tgs_some", ""])("%j: what is for people is refused, command by command", async (token) => {
    const environment = readEnvironment({ TOOLGATE_TOKEN: token });
    const open: string[] = [];
    for (const command of await loadAll())
      for (const first of ["", ...(command.subcommands ?? [])]) {
        const line = `${command.name} ${first}`.trimEnd();
        const refusal = refusedToAgent(command, { environment, flags: {}, words: first === "" ? [] : [first, "x"] });
        if (refusal === null) open.push(line);
        else expect(refusal).toMatchObject({ code: "LEASE_SCOPE", hint: expect.stringContaining("unset") });
        expect(
          refusedToAgent(command, { environment: readEnvironment({}), flags: { workspace: "x" }, words: [first] }),
        ).toBe(null);
      }
    expect(new Set(open.filter((line) => line !== "completion"))).toEqual(new Set([...FOR_AGENTS]));
  });

  it.each([
    [["approvals", "approve", "approval_1"]],
    [["sessions", "open", "--lease", "lease.yaml"]],
    [["ledger", "show"]],
    [["trust", "--yes"]],
  ])("`toolgate %j` does nothing", async (args) => {
    using cli = openCli(CONFIG);
    cli.put("lease.yaml", "tools: everything\n");
    const { code, out, err } = await cli.run(args, { env: { TOOLGATE_TOKEN: "tgs_some" } });
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("LEASE_SCOPE");
    expect(err).toContain("is for people, and TOOLGATE_TOKEN says that this is an agent's session");
  });
});

const ASKS = `rules:
  - { id: asks, effect: ask, touch: { write: ["./**"] } }
  - { id: reads, effect: allow, touch: { read: ["./**"] } }
`;

async function agent(cli: Cli, lease: object): Promise<{ readonly bound: Cli; readonly id: string }> {
  const gate = await openGate({ config: `${cli.workspace}/toolgate.yaml` });
  const opened = await gate.sessions.open(lease);
  await gate.close();
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  return { bound: { ...cli, env: { ...cli.env, TOOLGATE_TOKEN: opened.token } }, id: opened.session.id };
}

const EVERYTHING = { tools: "everything", read: ["./**"], write: ["./**"] } as const;

describe("an agent", () => {
  it.each([["call"], ["batch"], ["explain"], ["mcp"], ["legacy"], ["sessions"]])(
    "does not choose the folder that it works in: `%s --workspace`",
    async (name) => {
      using cli = openCli(CONFIG);
      const { code, out, err } = await cli.run([name, "--workspace", "/"], { env: { TOOLGATE_TOKEN: "tgs_some" } });
      expect([code, out, err]).toEqual([3, "", expect.stringContaining("`--workspace` is for people")]);
    },
  );

  it("brings no rules of its own: a configuration that it names has to be trusted", async () => {
    using cli = openCli(CONFIG);
    const { bound } = await agent(cli, EVERYTHING);
    cli.put("mine.yaml", WRITE_ALLOWED);
    const words = ["write_file", '{"path":"a.txt","content":"x"}'];
    const { code, err } = await invoked(bound, call, words, { flags: { config: "mine.yaml" } });
    expect([code, err, cli.has("a.txt")]).toEqual([3, expect.stringContaining("CONFIG_UNTRUSTED"), false]);
    expect(err).toContain("naming it in an agent's session is not enough");
    const trusted = await invoked(bound, call, ["read_file", '{"path":"mine.yaml"}'], {
      flags: { config: "toolgate.yaml" },
    });
    expect(trusted.code).toBe(0);
    // Who is a person names what they mean.
    expect((await invoked(cli, call, words, { flags: { config: "mine.yaml" } })).code).toBe(0);
  });

  it("has its lease in the workspace that it was given for, and in no other", async () => {
    using cli = openCli(CONFIG);
    const { id } = await agent(cli, EVERYTHING);
    const config = `${cli.workspace}/toolgate.yaml`;
    cli.put("other/a.txt", "a");
    const here = await openGate({ config });
    const opened = await here.sessions.open(EVERYTHING, { label: "one" });
    const child = await here.sessions.open({ tools: ["read_file"] });
    await here.close();
    if (opened.kind === "refused" || child.kind === "refused") throw new Error("not opened");
    const there = await openGate({ config, workspace: `${cli.workspace}/other` });
    const refused = { kind: "refused", refusal: { code: "LEASE_SCOPE", hint: expect.stringContaining("workspace") } };
    expect(await there.sessions.check(opened.token)).toMatchObject(refused);
    expect(await there.sessions.renew(id, { for: "1h" })).toMatchObject(refused);
    expect(await there.sessions.open({}, { parent: opened.session })).toMatchObject(refused);
    const made = await there.call({ tool: "read_file", input: { path: "a.txt" }, session: opened.session });
    expect(made).toMatchObject({ kind: "refused", refusal: { code: "LEASE_SCOPE" } });
    // A person sees it from everywhere, and takes it back.
    expect(await there.sessions.find(opened.session.id)).toMatchObject({ state: "open", label: "one" });
    expect(await there.sessions.revoke(opened.session.id)).toMatchObject({ kind: "changed" });
    await there.close();
  });

  it("does not answer its own questions: not with --yes, and not at a terminal", async () => {
    using cli = openCli(ASKS);
    const { bound } = await agent(cli, EVERYTHING);
    const words = ["write_file", '{"path":"a.txt","content":"x"}'];
    const yes = await invoked(bound, call, words, { flags: { yes: true } });
    expect([yes.code, yes.err]).toEqual([3, expect.stringContaining("`--yes` is for people")]);
    const waiting = invoked(bound, call, words, { answers: ["y"] });
    const gate = await openGate({ config: `${cli.workspace}/toolgate.yaml` });
    const question = async (): Promise<string> => (await gate.approvals.list())[0]?.approvalId ?? question();
    await gate.approvals.answer(await question(), { kind: "reject", who: "ann" });
    const { code, err } = await waiting;
    await gate.close();
    expect(err).toMatch(/^waiting until .* for `toolgate approvals approve approval_/);
    expect([code, cli.has("a.txt")]).toEqual([3, false]);
  });

  it("sees its own session in the list, and no other", async () => {
    using cli = openCli(CONFIG);
    const { bound, id } = await agent(cli, EVERYTHING);
    await agent(cli, EVERYTHING);
    const { out } = await invoked(bound, sessions, ["list"], { flags: { json: true } });
    expect(JSON.parse(out)).toMatchObject({ id, kind: "opened" });
    const closed = await invoked({ ...bound, env: { ...bound.env, TOOLGATE_TOKEN: "" } }, sessions, ["list"]);
    expect([closed.code, closed.out]).toEqual([3, ""]);
  });

  it("reads the blobs of its own calls, and no others", async () => {
    using cli = openCli(CONFIG);
    cli.put("long.txt", "line\n".repeat(400_000));
    const { bound } = await agent(cli, EVERYTHING);
    const { bound: other } = await agent(cli, EVERYTHING);
    const made = await invoked(bound, call, ["read_file", '{"path":"long.txt"}'], { flags: { json: true } });
    const { truncated, receipt } = JSON.parse(made.out);
    for (const flags of [{}, { seq: String(receipt.seq) }])
      expect((await invoked(bound, blobs, ["get", truncated.blob], { flags })).code).toBe(0);
    for (const flags of [{}, { seq: String(receipt.seq) }]) {
      const refused = await invoked(other, blobs, ["get", truncated.blob], { flags });
      expect([refused.code, refused.out, refused.err]).toEqual([3, "", expect.stringContaining("BLOB_NOT_FOUND")]);
    }
    expect((await invoked(cli, blobs, ["get", truncated.blob])).code).toBe(0);
    await expect(invoked(bound, blobs, ["get", truncated.blob], { flags: { seq: "x" } })).rejects.toThrow("--seq");
  });

  it("is bound by its lease on the legacy door as well", async () => {
    using cli = openCli(WRITE_ALLOWED);
    const { bound, id } = await agent(cli, { tools: ["read_file"], read: ["./**"] });
    const use = { toolName: "write_file", sessionId: "mine", input: { path: "a.txt", content: "x" } };
    const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/use", params: use })}\n`;
    const { TOOLGATE_TOKEN = "" } = bound.env;
    const { out } = await cli.run(["legacy"], { stdin, env: { TOOLGATE_TOKEN } });
    expect(JSON.parse(out)).toMatchObject({ error: { data: { code: "LEASE_SCOPE" } } });
    expect(cli.has("a.txt")).toBe(false);
    const wrong = await cli.run(["legacy"], { stdin, env: { TOOLGATE_TOKEN: "tgs_guessed" } });
    expect([wrong.code, wrong.out]).toEqual([3, ""]);
    expect(id).toMatch(/^session_/);
  });
});

it("an empty key is none that anybody meant", async () => {
  using cli = openCli(CONFIG);
  await expect(invoked(cli, call, ["read_file", '{"path":"a"}'], { flags: { key: "" } })).rejects.toThrow(
    "the key is empty",
  );
});
