import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvals } from "../../../src/doors/cli/approvals.ts";
import { call } from "../../../src/doors/cli/call.ts";
import { ledger } from "../../../src/doors/cli/ledger.ts";
import { sessions } from "../../../src/doors/cli/sessions.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

const READ = ["read_file", '{"path":"a"}'];

/** A workspace with a ledger as an archive brings it: the same bytes, in other files. */
async function brought() {
  const cli = openCli(CONFIG);
  cli.put("a");
  await invoked(cli, call, READ);
  const { stateDir } = cli;
  cpSync(stateDir, `${stateDir}-copy`, { recursive: true, preserveTimestamps: true });
  rmSync(stateDir, { recursive: true });
  renameSync(`${stateDir}-copy`, stateDir);
  return cli;
}

describe("a ledger that came with the workspace", () => {
  it("is not used: nothing runs, and what to do is said", async () => {
    using cli = await brought();
    const refused = await invoked(cli, call, READ);
    expect([refused.code, refused.out]).toEqual([3, ""]);
    expect(refused.err).toMatch(/LEDGER_UNAVAILABLE[\s\S]*was not made here[\s\S]*`toolgate ledger adopt`/);
  });

  it.each([
    ["approvals", approvals, ["list"]],
    ["approvals", approvals, ["approve", "approval_1"]],
    ["sessions", sessions, ["list"]],
  ] as const)("nor by those who answer and open: %s", async (_, command, words) => {
    using cli = await brought();
    const refused = await invoked(cli, command, words);
    expect([refused.code, refused.out]).toEqual([3, ""]);
    expect(refused.err).toMatch(
      /^refused LEDGER_UNAVAILABLE [^\n]*was not made here[^\n]*\n {2}hint [^\n]*`toolgate ledger adopt`/,
    );
  });

  it("nor signed, which says what to do", async () => {
    using cli = await brought();
    const { code, err } = await invoked(cli, ledger, ["checkpoint"]);
    expect([code, err]).toEqual([6, expect.stringMatching(/was not made here[^\n]*\n {2}hint [^\n]*ledger adopt/)]);
  });

  it("can be read and verified all the same", async () => {
    using cli = await brought();
    expect((await invoked(cli, ledger, ["verify"])).code).toBe(0);
    expect((await invoked(cli, ledger, ["show"])).out).toContain("tool.executed");
  });

  it.each<[string | null, number, number]>([
    ["y", 0, 0],
    ["n", 3, 3],
    [null, 3, 3],
  ])("is taken over when a person says so: %s", async (answer, code, then) => {
    using cli = await brought();
    expect((await invoked(cli, ledger, ["adopt"], { answers: [answer] })).code).toBe(code);
    expect((await invoked(cli, call, READ)).code).toBe(then);
  });

  it("is not taken over by a script that does not say `--yes`", async () => {
    using cli = await brought();
    await expect(invoked(cli, ledger, ["adopt"])).rejects.toThrow("needs a person");
    const adopted = await invoked(cli, ledger, ["adopt"], { flags: { yes: true, json: true } });
    expect(JSON.parse(adopted.out)).toEqual({ adopted: 4 });
    expect((await invoked(cli, call, READ)).code).toBe(0);
  });

  it("does not come in by the side files of an empty one", async () => {
    using cli = await brought();
    const journal = join(cli.stateDir, "journal.db");
    rmSync(join(cli.stateDir, "made-here"));
    renameSync(journal, `${journal}-journal`);
    writeFileSync(journal, "", { mode: 0o600 });
    expect((await invoked(cli, call, READ)).err).toContain("was not made here");
  });

  it.each(["journal.db", "journal.db-wal", "ledger.key"])(
    "is not used where git could have put %s there",
    async (name) => {
      using cli = openCli(CONFIG);
      cli.put("a");
      await invoked(cli, call, READ);
      const path = join(cli.stateDir, name);
      // As git makes files: readable by others.
      writeFileSync(path, existsSync(path) ? readFileSync(path) : "", { mode: 0o644 });
      chmodSync(path, 0o644);
      expect((await invoked(cli, call, READ)).err).toContain(`other users may read or change \`${name}\``);
    },
  );

  it("is its own again after the workspace was moved", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    await invoked(cli, call, READ);
    renameSync(cli.stateDir, `${cli.stateDir}-moved`);
    renameSync(`${cli.stateDir}-moved`, cli.stateDir);
    expect((await invoked(cli, call, READ)).code).toBe(0);
  });
});

it("there is nothing to take over where there is no ledger", async () => {
  using cli = openCli(CONFIG);
  await expect(invoked(cli, ledger, ["adopt"], { flags: { yes: true } })).rejects.toThrow("no ledger to take over");
});
