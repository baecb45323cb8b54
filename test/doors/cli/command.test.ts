import { describe, expect, it } from "vitest";
import { approvals } from "../../../src/doors/cli/approvals.ts";
import { blobs } from "../../../src/doors/cli/blobs.ts";
import type { Command } from "../../../src/doors/cli/command.ts";
import { ledger } from "../../../src/doors/cli/ledger.ts";
import { mcp } from "../../../src/doors/cli/mcp.ts";
import { rules } from "../../../src/doors/cli/rules.ts";
import { sessions } from "../../../src/doors/cli/sessions.ts";
import { tools } from "../../../src/doors/cli/tools.ts";
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
    [tools, ["check"], { trust: "org" }, "`tools check` takes no `--trust`", "`tools add`"],
    [tools, ["add", "gh"], { names: true }, "`tools add` takes no `--names`", "`tools` alone"],
    [tools, [], { yes: true }, "`tools` alone takes no `--yes`", "`tools add`"],
    [mcp, [], { write: true }, "`mcp` alone takes no `--write`", "`mcp install` and `mcp import`"],
    [mcp, ["list"], { ask: "desk" }, "`mcp list` takes no `--ask`", "`mcp` alone"],
    [mcp, ["add", "x"], { digest: "0" }, "`mcp add` takes no `--digest`", "`mcp accept`"],
    [blobs, ["get", "0"], { "dry-run": true }, "`blobs get` takes no `--dry-run`", "`blobs gc`"],
    [blobs, ["gc"], { seq: "1" }, "`blobs gc` takes no `--seq`", "`blobs get`"],
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
