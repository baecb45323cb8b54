// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Journal } from "../../../src/ports/journal.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf, type ScratchGate } from "../../support/scratch-gate.ts";
import { openScriptGate, param, printed } from "./script-gate.ts";

const run = async (scratch: ScratchGate, tool: string, input: JsonObject = {}): Promise<string> =>
  printed(asKind(await scratch.gate.call({ tool, input }), "completed").content);

const FAILED = { kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "no" } } as const;

/** What went wrong in the program that this format comes from, by the numbers of the list of its failures. */
needs("bwrap")("it does not happen here that", () => {
  it("(1) a value runs a second command", async () => {
    await using scratch = openScriptGate({
      t: { script: "echo {{m}}", parameters: [param("m")], sandbox: { working_directory: "." } },
    });
    expect(await run(scratch, "t", { m: "x; touch C; rm -rf ~" })).toBe("x; touch C; rm -rf ~\n");
    expect(existsSync(join(scratch.workspace, "C"))).toBe(false);
  });

  it("(2, 3) a default takes the place of a value that was given, or is lost", async () => {
    await using scratch = openScriptGate({
      t: {
        script: "printf '<%s>' {{timeout|default(30)}} {{line|default('')}}",
        parameters: [param("timeout", { type: "number" }), param("line")],
      },
    });
    expect(await run(scratch, "t")).toBe("<30><>");
    expect(await run(scratch, "t", { timeout: 5, line: "7" })).toBe("<5><7>");
    expect(await run(scratch, "t", { timeout: 0, line: "0" })).toBe("<0><0>");
  });

  it("(4) a section over an absent value fails", async () => {
    await using scratch = openScriptGate({
      t: { script: "echo a{{#x}} {{x}}{{/x}}", parameters: [param("x")] },
    });
    expect(await run(scratch, "t")).toBe("a\n");
  });

  it("(5) braces in a value are taken out or read again", async () => {
    await using scratch = openScriptGate({
      t: { script: "printf '%s' {{x}} '{{x}}'", parameters: [param("x"), param("y")] },
    });
    expect(await run(scratch, "t", { x: "{{y}}{{", y: "secret" })).toBe("{{y}}{{{{y}}{{");
  });

  it("(6) a folder's name grants another that begins with it", async () => {
    await using scratch = openScriptGate({
      t: {
        script: "cat < {{x}}",
        parameters: [param("x")],
        sandbox: { working_directory: ".", allowed_paths: ["workspace"] },
      },
    });
    scratch.put("workspace/a", "good");
    scratch.put("workspace-evil/a", "evil");
    expect(await run(scratch, "t", { x: "workspace/a" })).toBe("good");
    expect(codeOf(await scratch.gate.call({ tool: "t", input: { x: "workspace-evil/a" } }))).toBe("PATH_NOT_ALLOWED");
  });

  it("(7) harmless bash is refused for its looks", async () => {
    await using scratch = openScriptGate({ t: { script: "ls /nowhere 2>/dev/null || echo $(echo none) && true" } });
    expect(await run(scratch, "t")).toBe("none\n");
  });

  it("(8) a timeout ends more than the tool, or less", async () => {
    await using scratch = openScriptGate({
      t: { script: "(sleep 300 &) ; sleep 300", sandbox: { timeout: 0.5 } },
      after: { script: "echo alive" },
    });
    expect(codeOf(await scratch.gate.call({ tool: "t", input: {} }))).toBe("TIMEOUT");
    expect(await run(scratch, "after")).toBe("alive\n");
  });

  it("(9) output over the limit is lost", async () => {
    await using scratch = openScriptGate({ t: { script: "for i in {1..40000}; do echo line $i; done" } });
    const outcome = asKind(await scratch.gate.call({ tool: "t", input: {} }), "completed");
    const text = printed(outcome.content);
    expect(text).toMatch(/^line 1\n/);
    expect(text).toMatch(/left out: \d+ bytes[\s\S]*line 40000\n$/);
    expect(outcome.structured?.["stdout"]).toMatchObject({ cut: true, bytes: expect.any(Number) });
    expect(outcome.truncated).toEqual({ bytes: expect.any(Number), blob: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("(9) also where the script fails", async () => {
    await using scratch = openScriptGate({ t: { script: "for i in {1..40000}; do echo line $i; done; exit 3" } });
    const outcome = asKind(await scratch.gate.call({ tool: "t", input: {} }), "failed");
    expect(outcome.truncated).toEqual({ bytes: expect.any(Number), blob: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(printed(outcome.content)).toContain(`the whole: toolgate blobs get ${outcome.truncated?.blob}`);
  });

  it("(10) `allowed_commands` is read and ignored", () => {
    expect(() => openScriptGate({ t: { script: "curl x", sandbox: { allowed_commands: ["cat"] } } })).toThrow(/`curl`/);
    expect(() =>
      openScriptGate({ t: { script: "env timeout 5 curl x", sandbox: { allowed_commands: ["env", "timeout"] } } }),
    ).toThrow(/`curl`/);
    expect(() => openScriptGate({ t: { script: "echo $(curl x)", sandbox: { allowed_commands: [] } } })).toThrow(
      /`curl`/,
    );
  });

  it("(11, 12) a question that was not answered with yes counts as one", async () => {
    const tools = { t: { script: "echo ran", sandbox: { requires_confirmation: true } } };
    await using asked = openScriptGate(tools);
    expect(codeOf(await asked.gate.call({ tool: "t", input: {} }, { whenAsked: "return" }))).toBe("pending");
    await using rejected = openScriptGate(tools, { approver: { ask: async () => ({ kind: "reject", who: "ann" }) } });
    expect(codeOf(await rejected.gate.call({ tool: "t", input: {} }))).toBe("APPROVAL_REJECTED");
  });

  it("(13) an approval survives a no, whoever gives it", async () => {
    const tools = { t: { script: "echo x > ran", sandbox: { working_directory: ".", requires_confirmation: true } } };
    await using scratch = openScriptGate(tools, {
      rules: [
        { id: "yes", effect: "allow", grant: { write: ["./**"] } },
        { id: "no", effect: "deny", tools: ["t"] },
      ],
      approver: { ask: async () => ({ kind: "approve", who: "ann" }) },
    });
    expect(codeOf(await scratch.gate.call({ tool: "t", input: {} }))).toBe("RULE_DENY");
    // A rule that comes after the yes of a person holds as well.
    let denies = false;
    await using later = openScriptGate(tools, {
      approver: {
        ask: async () => {
          denies = true;
          return { kind: "approve", who: "ann" };
        },
      },
    });
    const gate = later.again({
      approver: {
        ask: async () => {
          denies = true;
          return { kind: "approve", who: "ann" };
        },
      },
      inner: { ruleBook: { current: () => (denies ? scratch.config.rules : later.config.rules) } },
    });
    expect(codeOf(await gate.call({ tool: "t", input: {} }))).toBe("RULE_DENY");
    for (const { workspace } of [scratch, later]) expect(existsSync(join(workspace, "ran"))).toBe(false);
    // Nor does a policy's yes survive a governor's, also where the policy would rather not hear it.
    const policy = { id: "p", applies_to: ["t"], decision: { type: "approve", skipGovernors: true } };
    const answering = (status: "approve" | "reject") =>
      openScriptGate(tools, {
        config: { autoApprovals: "auto.yaml" },
        files: { "auto.yaml": JSON.stringify({ auto_approval_policies: [policy] }) },
        governors: [{ id: "g", ask: () => ({ status }) }],
      });
    await using vetoed = answering("reject");
    expect(codeOf(await vetoed.gate.call({ tool: "t", input: {} }))).toBe("APPROVAL_REJECTED");
    expect(existsSync(join(vetoed.workspace, "ran"))).toBe(false);
    await using answered = answering("approve");
    expect(codeOf(await answered.gate.call({ tool: "t", input: {} }))).toBe("completed");
  });

  it("(14) one file that may be changed lets a call through that changes others", async () => {
    const tools = {
      t: {
        script: "echo x > {{a}}; echo x > {{b}}",
        parameters: [param("a"), param("b")],
        sandbox: { working_directory: "." },
      },
    };
    await using scratch = openScriptGate(tools, {
      rules: [
        { id: "run", effect: "allow", touch: { exec: ["**"] }, grant: { write: ["./docs/**"] } },
        { id: "docs", effect: "allow", touch: { write: ["./docs/**"] } },
      ],
    });
    mkdirSync(join(scratch.workspace, "docs"));
    const write = (a: string, b: string) => scratch.gate.call({ tool: "t", input: { a, b } });
    expect(codeOf(await write("docs/one", "docs/two"))).toBe("completed");
    for (const other of ["two", "docs/../two", "docs-two", "./docs/../../two"])
      expect([other, codeOf(await write("docs/one", other))]).toEqual([other, "DEFAULT_DENY"]);
    expect(existsSync(join(scratch.workspace, "two"))).toBe(false);
  });

  it("(15) something runs that the ledger could not be told of", async () => {
    const journal = { commit: async () => FAILED, note: async () => FAILED } as unknown as Journal;
    await using scratch = openScriptGate({
      t: { script: "echo x > ran", sandbox: { working_directory: "." } },
    });
    const gate = scratch.again({
      policy: "untold",
      inner: { journal: { ...journal, close: async () => {} } as Journal },
    });
    expect(codeOf(await gate.call({ tool: "t", input: {} }))).toBe("LEDGER_UNAVAILABLE");
    expect(existsSync(join(scratch.workspace, "ran"))).toBe(false);
  });

  it("(17) two tools share where they are", async () => {
    const at = (folder: string) => ({
      script: "for i in {1..50}; do [[ $PWD == *{{a}} ]] || exit 1; done; pwd",
      parameters: [param("a")],
      sandbox: { working_directory: folder },
    });
    await using scratch = openScriptGate({ one: at("one"), two: at("two") });
    for (const name of ["one", "two"]) mkdirSync(join(scratch.workspace, name));
    const names = ["one", "two", "one", "two", "one", "two"];
    const said = await Promise.all(names.map((name) => run(scratch, name, { a: name })));
    expect(said).toEqual(names.map((name) => `${join(scratch.workspace, name)}\n`));
  });
});
