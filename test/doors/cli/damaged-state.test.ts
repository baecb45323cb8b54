import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adminToken } from "../../../src/config/admin-token.ts";
import { call } from "../../../src/doors/cli/call.ts";
import type { Invocation } from "../../../src/doors/cli/command.ts";
import { ledger } from "../../../src/doors/cli/ledger.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

const READ = ["read_file", '{"path":"a"}'];

/** A workspace with a signed ledger of some calls. */
async function used(): Promise<Cli> {
  const cli = openCli(CONFIG);
  cli.put("a");
  for (let calls = 0; calls < 3; calls++) await invoked(cli, call, READ);
  await invoked(cli, ledger, ["checkpoint"]);
  return cli;
}

const file = (cli: Cli, name: string) => join(cli.stateDir, name);

describe("a state directory that was damaged", () => {
  it.each<[name: string, damage: (cli: Cli) => void, cause: string, hint: string]>([
    [
      "a key that others may read",
      (cli) => chmodSync(file(cli, "ledger.key"), 0o644),
      "other users may read or change `ledger.key` in the state directory (mode 0644)",
      "run `chmod 600 ledger.key` in the state directory",
    ],
    [
      "checkpoints that others may write",
      (cli) => chmodSync(file(cli, "checkpoints.jsonl"), 0o602),
      "other users may read or change `checkpoints.jsonl` in the state directory (mode 0602)",
      "run `chmod 600 checkpoints.jsonl` in the state directory",
    ],
    [
      "a journal that was deleted",
      (cli) => {
        for (const name of readdirSync(cli.stateDir)) if (name.startsWith("journal.db")) rmSync(file(cli, name));
      },
      "`journal.db` is gone from the state directory, or empty, and `checkpoints.jsonl` says that it held entries",
      "restore the whole state directory from one backup",
    ],
    [
      "a key that is gone",
      (cli) => rmSync(file(cli, "ledger.key")),
      "the ledger is not written to: its signing key `ledger.key` is gone",
      "put back the `ledger.key` of this ledger from a backup",
    ],
    [
      "a key that is empty",
      (cli) => writeFileSync(file(cli, "ledger.key"), ""),
      "the ledger is not written to: its signing key `ledger.key` is empty",
      "put back the `ledger.key` of this ledger from a backup",
    ],
    [
      "a key that is something else",
      (cli) => writeFileSync(file(cli, "ledger.key"), "no key"),
      "the ledger is not written to: its signing key `ledger.key` does not hold a key",
      "put back the `ledger.key` of this ledger from a backup",
    ],
  ])("says its cause and the one thing to do, twice the same: %s", async (_, damage, cause, hint) => {
    using cli = await used();
    damage(cli);
    for (let tries = 0; tries < 2; tries++) {
      const { code, err } = await invoked(cli, call, READ);
      expect([code, err]).toEqual([3, expect.stringContaining(`  ${cause}\n`)]);
      expect(err).toContain(`hint ${hint}`);
    }
  });

  it("works again once its one thing was done", async () => {
    using cli = await used();
    chmodSync(file(cli, "ledger.key"), 0o644);
    expect((await invoked(cli, call, READ)).code).toBe(3);
    chmodSync(file(cli, "ledger.key"), 0o600);
    expect((await invoked(cli, call, READ)).code).toBe(0);
  });

  it("that was restored in half says so, also once it was taken over", async () => {
    using cli = await used();
    const old = join(cli.stateDir, "..", "old-journal");
    cpSync(file(cli, "journal.db"), old);
    for (let calls = 0; calls < 3; calls++) await invoked(cli, call, READ);
    await invoked(cli, ledger, ["checkpoint"]);
    for (const name of readdirSync(cli.stateDir)) if (name.startsWith("journal.db")) rmSync(file(cli, name));
    cpSync(old, file(cli, "journal.db"));
    chmodSync(file(cli, "journal.db"), 0o600);
    rmSync(old);
    const before = await invoked(cli, call, READ);
    expect(before.err).toContain("`toolgate ledger adopt`");
    await invoked(cli, ledger, ["adopt"], { flags: { yes: true } });
    const after = await invoked(cli, call, READ);
    expect(after.err).toContain("`journal.db` and `checkpoints.jsonl` do not belong together");
    expect(after.err).toContain("restore the whole state directory from one backup");
    expect(after.err).not.toContain("ledger adopt");
  });

  it("without its public key gets it back from the key", async () => {
    using cli = await used();
    const before = readFileSync(file(cli, "ledger.pub"), "utf8");
    rmSync(file(cli, "ledger.pub"));
    expect((await invoked(cli, ledger, ["verify"])).code).toBe(0);
    expect(existsSync(file(cli, "ledger.pub"))).toBe(false); // reading writes nothing
    expect((await invoked(cli, call, READ)).code).toBe(0);
    expect(readFileSync(file(cli, "ledger.pub"), "utf8")).toBe(before);
  });
});

describe("a hint", () => {
  it("never names the command that has just failed", async () => {
    const refusal = {
      code: "LEDGER_UNAVAILABLE",
      stage: "journal",
      message: "x",
      hint: "look at its files; `toolgate ledger verify` says whether it is damaged",
    } as const;
    for (const [words, hint] of [
      [["verify"], "look at its files\n"],
      [["show"], "`toolgate ledger verify` says whether it is damaged\n"],
    ] as const) {
      using cli = openCli(CONFIG);
      const command = { ...ledger, run: (invocation: Invocation) => invocation.refuse(refusal) };
      expect((await invoked(cli, command, words)).err).toMatch(new RegExp(`hint [^\\n]*${hint}$`));
    }
  });
});

describe("the administrator's token", () => {
  it("that is there is read, and nothing is written", async () => {
    using cli = openCli(CONFIG);
    const first = adminToken(cli.stateDir);
    const { mtimeMs } = statSync(cli.stateDir);
    const again = adminToken(cli.stateDir);
    expect([first.ok, again.ok && first.ok && again.token.reveal() === first.token.reveal()]).toEqual([true, true]);
    expect(statSync(cli.stateDir).mtimeMs).toBe(mtimeMs);
  });

  it("that can't be made says why", async () => {
    using cli = openCli(CONFIG);
    cli.put("file");
    expect(adminToken(join(cli.stateDir, "..", "file", "state"))).toMatchObject({
      ok: false,
      message: expect.stringContaining("can't be written: a part of its path is not a folder"),
    });
  });
});
