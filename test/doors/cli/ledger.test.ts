import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { visibleText } from "../../../src/domain/visible.ts";
import { approvals } from "../../../src/doors/cli/approvals.ts";
import { call } from "../../../src/doors/cli/call.ts";
import { UsageError } from "../../../src/doors/cli/command.ts";
import { ledger } from "../../../src/doors/cli/ledger.ts";
import { sessions } from "../../../src/doors/cli/sessions.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

/** The rules, and two calls: six entries. */
async function used(): Promise<Cli> {
  const cli = openCli(CONFIG);
  cli.put("a");
  await invoked(cli, call, ["read_file", '{"path":"a"}']);
  await invoked(cli, call, ["read_file", '{"path":".env"}']);
  return cli;
}

const linesOf = (text: string) => text.split("\n").slice(0, -1);
const seqsOf = (text: string) => linesOf(text).map((line) => JSON.parse(line).seq);

describe("toolgate ledger show", () => {
  it("a line an entry: number, time, kind, call, and what matters of it", async () => {
    using cli = await used();
    const { code, out, err } = await cli.run(["ledger", "show"]);
    expect([code, err, linesOf(out).length]).toEqual([0, "", 6]);
    expect(linesOf(out)[5]).toMatch(
      /^ {5}6 {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}tool\.decided {7}call_[0-9a-f]{32} {2}deny {2}RULE_DENY {2}secrets {2}rule `secrets` denies/,
    );
    expect(linesOf(out)[0]).toMatch(/policy\.loaded {6}- {2}[0-9a-f]{64}$/);
    expect(linesOf(out)[2]).toMatch(/tool\.decided {7}call_[0-9a-f]{32} {2}allow {2}read$/);
    expect((await invoked(cli, ledger)).out).toBe(out);
  });

  it.each<[string, readonly number[]]>([
    ["1", [6]],
    ["2", [5, 6]],
    ["6", [1, 2, 3, 4, 5, 6]],
    ["999", [1, 2, 3, 4, 5, 6]],
  ])("--last %s", async (last, seqs) => {
    using cli = await used();
    expect(seqsOf((await invoked(cli, ledger, ["show"], { flags: { last, json: true } })).out)).toEqual(seqs);
  });

  it.each(["0", "-1", "x", "1.5", "", "1e3"])("--last %j is no number of entries", async (last) => {
    using cli = await used();
    await expect(invoked(cli, ledger, ["show"], { flags: { last } })).rejects.toThrow(
      "--last has to be a whole number above 0",
    );
  });

  it("--call: the entries of one call; of a call that is in none it is an error", async () => {
    using cli = await used();
    const { out } = await invoked(cli, ledger, ["show"], { flags: { json: true } });
    const { callId } = JSON.parse(linesOf(out)[1] ?? "");
    expect(seqsOf((await invoked(cli, ledger, ["show"], { flags: { call: callId, json: true } })).out)).toEqual([
      2, 3, 4,
    ]);
    const lastTwo = await invoked(cli, ledger, ["show"], { flags: { call: callId, last: "2", json: true } });
    expect(seqsOf(lastTwo.out)).toEqual([3, 4]);
    const unknown = await cli.run(["ledger", "show", "--call", "call_x", "--json"]);
    expect([unknown.code, JSON.parse(unknown.out).refusal.message]).toEqual([2, "no entry is about the call `call_x`"]);
  });

  it.each([
    ["checkpoint", ledger],
    ["list", sessions],
    ["list", approvals],
  ])("%s makes nothing before the first call", async (word, command) => {
    using cli = openCli(CONFIG);
    expect((await invoked(cli, command, [word])).code).toBe(0);
    expect(cli.has(".toolgate")).toBe(false);
  });

  it.each([
    ["show", approvals],
    ["approve", approvals],
    ["reject", approvals],
    ["close", sessions],
    ["revoke", sessions],
  ])("%s of what is not there makes nothing either", async (word, command) => {
    using cli = openCli(CONFIG);
    expect((await invoked(cli, command, [word, "nosuch"])).code).toBe(3);
    expect(cli.has(".toolgate")).toBe(false);
  });

  it("before the first call there is nothing, and showing it makes nothing", async () => {
    using cli = openCli(CONFIG);
    expect(await cli.run(["ledger"])).toMatchObject({ code: 0, out: "", err: "there are no such entries\n" });
    expect(cli.has(".toolgate")).toBe(false);
  });

  it("shows a name that acts on a terminal, and does not obey it", async () => {
    using cli = openCli(CONFIG);
    await invoked(cli, call, ["\u001b[2J\u202e", "{}"]);
    const { out } = await invoked(cli, ledger);
    expect(out).toContain("\\u{1b}[2J\\u{202e}");
    expect(out).toBe(visibleText(out));
  });
});

describe("toolgate ledger export", () => {
  it("every entry, a line of JSON each, in order", async () => {
    using cli = await used();
    const { code, out, err } = await cli.run(["ledger", "export"]);
    expect([code, err, seqsOf(out)]).toEqual([0, "", [1, 2, 3, 4, 5, 6]]);
  });

  it("to a reader that goes away", async () => {
    using cli = await used();
    expect(await cli.run(["ledger", "export"], { reader: "gone" })).toMatchObject({ code: 0, err: "" });
  });
});

describe("toolgate ledger verify", () => {
  it("intact: exit code 0, and what is under which key", async () => {
    using cli = await used();
    const { code, out, err } = await cli.run(["ledger", "verify"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^intact 6 entries, 2 signed checkpoints, signed up to entry 6\n {2}key [0-9a-f]{64}\n$/);
    expect(await cli.json(["ledger", "verify"])).toMatchObject({ ok: true, entries: 6, findings: [] });
  });

  it("changed: exit code 6, and the entry by its number", async () => {
    using cli = await used();
    const db = new DatabaseSync(join(cli.stateDir, "journal.db"));
    db.exec("UPDATE segments SET lines = replace(lines, 'RULE_DENY', 'RULE_DENI')");
    db.close();
    const ended = await cli.run(["ledger", "verify"]);
    expect(ended).toMatchObject({ code: 6, err: "" });
    expect(ended.out).toMatch(/^broken [\s\S]*entry 6\b/);
    expect(await cli.json(["ledger", "verify"])).toMatchObject({ ok: false, findings: [{ seq: 6 }] });
  });

  it.each([{}, { "all-calls": true }])(
    "a call's row changed: exit code 6, and the call by its id: %j",
    async (flags) => {
      using cli = await used();
      const db = new DatabaseSync(join(cli.stateDir, "journal.db"));
      const [row] = db.prepare("UPDATE calls SET state = 12 WHERE state = 11 RETURNING call_id").all();
      db.close();
      const { code, out } = await invoked(cli, ledger, ["verify"], { flags });
      expect(code).toBe(6);
      expect(out).toContain(
        `\n  the table of calls says that \`${row?.["call_id"]}\` is \`failed\`, and the entries that it is \`completed\``,
      );
    },
  );

  it("deleted: exit code 6 with MISSING, against a copy of the checkpoints too", async () => {
    using cli = await used();
    cli.put("kept.jsonl", cli.text(".toolgate/checkpoints.jsonl"));
    rmSync(cli.stateDir, { recursive: true });
    expect(await cli.run(["ledger", "verify"])).toMatchObject({
      code: 6,
      out: expect.stringMatching(/^broken MISSING/),
    });
    expect((await cli.run(["ledger", "verify", "--checkpoints", "kept.jsonl"])).code).toBe(6);
  });

  it.each([
    ["emptied", ""],
    ["something else's", "CREATE TABLE songs (title TEXT)"],
  ])("%s: exit code 6, what is wrong and what to do", async (_, sql) => {
    using cli = await used();
    const path = join(cli.stateDir, "journal.db");
    rmSync(path);
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    expect(await invoked(cli, ledger, ["verify"])).toEqual({
      code: 6,
      out: expect.stringMatching(/^broken `journal\.db` holds no ledger: .*\n {2}hint .*put back a copy.*\n$/),
      err: "",
    });
    const { code, out } = await invoked(cli, ledger, ["verify"], { flags: { json: true } });
    expect([code, JSON.parse(out)]).toEqual([6, expect.objectContaining({ ok: false, code: "NOT_A_LEDGER" })]);
    expect((await invoked(cli, ledger, ["show"])).err).toMatch(
      /^error the ledger can't be used: `journal\.db` holds no .*\n {2}hint .*put back a copy/,
    );
  });

  it("begun anew: the copy of the checkpoints tells", async () => {
    using cli = await used();
    cli.put("kept.jsonl", cli.text(".toolgate/checkpoints.jsonl"));
    rmSync(cli.stateDir, { recursive: true });
    await invoked(cli, call, ["read_file", '{"path":"a"}']);
    expect((await invoked(cli, ledger, ["verify"])).code).toBe(0);
    expect((await invoked(cli, ledger, ["verify"], { flags: { checkpoints: "kept.jsonl" } })).code).toBe(6);
  });

  it.each([
    ["nosuch.jsonl", "`nosuch.jsonl` does not exist"],
    [".", "`.` is a directory"],
    ["pipe", "`pipe` is no regular file"],
  ])(
    "--checkpoints %s: who names the copy wrongly hears so, and not that the ledger is broken",
    async (checkpoints, message) => {
      using cli = await used();
      execFileSync("mkfifo", [join(cli.workspace, "pipe")]);
      await expect(invoked(cli, ledger, ["verify"], { flags: { checkpoints } })).rejects.toThrow(message);
      const kept = await invoked(cli, ledger, ["verify"], { flags: { checkpoints: ".toolgate/checkpoints.jsonl" } });
      expect(kept.code).toBe(0);
    },
  );

  it("--key: the right one, and another", async () => {
    using cli = await used();
    const { key } = (await cli.json(["ledger", "verify"])) as { key: string };
    expect((await invoked(cli, ledger, ["verify"], { flags: { key } })).code).toBe(0);
    expect(await invoked(cli, ledger, ["verify"], { flags: { key: "0".repeat(64) } })).toMatchObject({
      code: 6,
      out: expect.stringContaining("not the one expected"),
    });
    for (const none of ["", "abc", key.toUpperCase()]) {
      await expect(invoked(cli, ledger, ["verify"], { flags: { key: none } })).rejects.toThrow(
        "has to be a fingerprint",
      );
    }
  });
});

describe("toolgate ledger checkpoint and prove", () => {
  const lastCheckpoint = (cli: Cli) => JSON.parse(linesOf(cli.text(".toolgate/checkpoints.jsonl")).at(-1) ?? "");
  const forgetCheckpoints = (cli: Cli) => {
    rmSync(join(cli.stateDir, "checkpoints.jsonl"));
    const db = new DatabaseSync(join(cli.stateDir, "journal.db"));
    db.exec("DELETE FROM checkpoints");
    db.close();
  };

  it("signs what is new, once", async () => {
    using cli = await used();
    expect(await cli.run(["ledger", "checkpoint"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^nothing new since the last checkpoint, of \d{4}-[^ ]*Z: signed 6 entries {2}root [0-9a-f]{64} {2}key [0-9a-f]{64}\n$/,
      ),
    });
    expect(await cli.json(["ledger", "checkpoint"])).toMatchObject({ new: false, ...lastCheckpoint(cli) });
  });

  it("has nothing to sign before the first call", async () => {
    using cli = openCli(CONFIG);
    expect((await invoked(cli, ledger, ["checkpoint"])).out).toMatch(/^there is nothing to sign yet/);
    const { out } = await invoked(cli, ledger, ["checkpoint"], { flags: { json: true } });
    expect(JSON.parse(out)).toEqual({ new: false, size: 0 });
  });

  it("with --json tells what it signed, and that it is new", async () => {
    using cli = await used();
    forgetCheckpoints(cli);
    const { out } = await invoked(cli, ledger, ["checkpoint"], { flags: { json: true } });
    expect(JSON.parse(out)).toEqual({ new: true, ...lastCheckpoint(cli) });
  });

  it("proves an entry, as one line of JSON", async () => {
    using cli = await used();
    const { code, out } = await cli.run(["ledger", "prove", "3"]);
    expect([code, linesOf(out).length]).toEqual([0, 1]);
    expect(JSON.parse(out)).toMatchObject({ index: 2, entry: { seq: 3 }, proof: expect.any(Array) });
  });

  it("the same in this process: export, prove, checkpoint", async () => {
    using cli = await used();
    expect(seqsOf((await invoked(cli, ledger, ["export"])).out)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(JSON.parse((await invoked(cli, ledger, ["prove", "3"])).out)).toMatchObject({ index: 2 });
    forgetCheckpoints(cli);
    expect((await invoked(cli, ledger, ["verify"])).out).toContain("are under no checkpoint yet");
    expect((await invoked(cli, ledger, ["checkpoint"])).out).toMatch(/^signed 6 entries {2}root [0-9a-f]{64} {2}key /);
    expect((await invoked(cli, ledger, ["verify"], { flags: { json: true } })).code).toBe(0);
  });

  it("what can't be proved is not there, or not signed yet", async () => {
    using cli = await used();
    await expect(invoked(cli, ledger, ["prove", "7"])).rejects.toThrow("there is no entry 7: the ledger has 6");
    const db = new DatabaseSync(join(cli.stateDir, "journal.db"));
    db.exec("DELETE FROM checkpoints");
    db.close();
    await expect(invoked(cli, ledger, ["prove", "6"])).rejects.toMatchObject({
      message: "no checkpoint covers the entry 6 yet",
      hint: "`toolgate ledger checkpoint` makes one",
    });
  });

  it.each([[["prove", "7"]], [["prove", "0"]], [["prove", "x"]], [["prove"]]])(
    "%j is not understood",
    async (words) => {
      using cli = await used();
      await expect(invoked(cli, ledger, words)).rejects.toThrow(UsageError);
    },
  );
});

describe("a ledger that can't be read", () => {
  const spoil = (cli: Cli) => {
    for (const name of ["journal.db-wal", "journal.db-shm"]) rmSync(join(cli.stateDir, name), { force: true });
    writeFileSync(join(cli.stateDir, "journal.db"), "no database at all, but long enough to be taken for one");
  };

  it("is told apart from a command that is not understood", async () => {
    using cli = await used();
    spoil(cli);
    expect((await invoked(cli, ledger, ["export"])).code).toBe(6);
    await expect(invoked(cli, ledger, ["prove", "x"])).rejects.toThrow(UsageError);
  });

  it.each([["show"], ["export"], ["prove", "1"], ["checkpoint"]])(
    "`ledger %s` says so, without a stack trace",
    async (...words) => {
      using cli = await used();
      spoil(cli);
      const ended = await cli.run(["ledger", ...words]);
      expect(ended).toMatchObject({ code: 6, out: "" });
      expect(ended.err).toMatch(
        /^error the ledger can't be used: .*\n {2}hint `toolgate ledger verify` says what is wrong\n$/,
      );
    },
  );

  it.each([["show"], ["export"], ["prove", "1"], ["checkpoint"]])(
    "and `ledger %s --json` in JSON",
    async (...words) => {
      using cli = await used();
      spoil(cli);
      const ended = await cli.run(["ledger", ...words, "--json"]);
      expect(ended).toMatchObject({ code: 6, err: "" });
      expect(JSON.parse(ended.out)).toMatchObject({
        kind: "refused",
        refusal: { code: "LEDGER_UNAVAILABLE", hint: "`toolgate ledger verify` says what is wrong" },
      });
    },
  );
});
