import { describe, expect, it } from "vitest";
import { approvals } from "../../../src/doors/cli/approvals.ts";
import type { Command } from "../../../src/doors/cli/command.ts";
import { ledger } from "../../../src/doors/cli/ledger.ts";
import { rules } from "../../../src/doors/cli/rules.ts";
import { sessions } from "../../../src/doors/cli/sessions.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

describe("an option that a subcommand does not take", () => {
  it.each<[Command, string[], Record<string, string | boolean>, string, string]>([
    [sessions, ["open"], { lease: "l.yaml", for: "1h" }, "`sessions open` takes no `--for`", "`sessions renew`"],
    [sessions, ["revoke", "x"], { for: "1h" }, "`sessions revoke` takes no `--for`", "`sessions renew`"],
    [sessions, [], { lease: "l.yaml" }, "`sessions list` takes no `--lease`", "`sessions open` and `sessions renew`"],
    [ledger, ["export"], { last: "3" }, "`ledger export` takes no `--last`", "`ledger show`"],
    [ledger, [], { key: "x" }, "`ledger show` takes no `--key`", "`ledger verify`"],
    [approvals, ["list"], { always: true }, "`approvals list` takes no `--always`", "`approvals approve`"],
    [rules, ["check"], { tool: "x" }, "`rules check` takes no `--tool`", "`rules explain`"],
  ])("is not passed over: %o %j %j", async (command, words, flags, message, hint) => {
    using cli = openCli(CONFIG);
    await expect(invoked(cli, command, words, { flags })).rejects.toMatchObject({
      message,
      hint: expect.stringContaining(hint),
    });
    expect(cli.has(".toolgate")).toBe(false);
  });
});
