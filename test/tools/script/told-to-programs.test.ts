// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { openScriptGate, param, printed } from "./script-gate.ts";

const WORKS_HERE = { sandbox: { working_directory: "." }, parameters: [param("a")] };
const RULES: readonly RuleSource[] = [
  { id: "scripts", effect: "allow", grant: { write: ["./**"], read: ["./**"] }, touch: { exec: ["**"] } },
  { id: "files", effect: "allow", touch: { read: ["/**"], write: ["/**"] } },
  { id: "dynamic", effect: "allow", dynamic: true, touch: { exec: ["**"], unknown: true } } as RuleSource,
];

/** What `[ $v = yes ]` would run: words of its own, the name behind `-v`, and what its index holds. */
const TESTED = "-v a[$(touch${IFS}canary)] -o b";

needs("bwrap")("what a program reads into a value, in the sandbox", () => {
  it("a test has what stands in quotes, and no other is let in", async () => {
    const quoted = { script: 'v={{a}}\nif [ "$v" = yes ]; then echo yes; else echo no; fi', ...WORKS_HERE };
    await using scratch = openScriptGate({ quoted }, { rules: RULES });
    const outcome = asKind(await scratch.gate.call({ tool: "quoted", input: { a: TESTED } }), "completed");
    expect(printed(outcome.content)).toBe("no\n");
    expect(existsSync(join(scratch.workspace, "canary"))).toBe(false);
    const open = (): unknown => openScriptGate({ bare: { script: "v={{a}}\n[ $v = yes ]", ...WORKS_HERE } });
    expect(open).toThrow(/would take it, or one of the words that it becomes, for an operator/);
  });

  it("the same test, with what it runs written out, runs it: the value is none that does nothing", async () => {
    const script = `v='${TESTED}'\n[ $v = yes ]; ls; printf %s {{a}}`;
    await using scratch = openScriptGate({ control: { script, ...WORKS_HERE } }, { rules: RULES });
    const outcome = asKind(await scratch.gate.call({ tool: "control", input: { a: "" } }), "completed");
    expect(printed(outcome.content)).toContain("canary");
  });

  it("a file that a value names is not sent, and what only holds such a sign is", async () => {
    const curl = { script: "curl -s -d {{a}} http://127.0.0.1:1/ || echo tried", ...WORKS_HERE };
    await using scratch = openScriptGate({ curl }, { rules: RULES });
    scratch.put("secret.txt", "s");
    expect(codeOf(await scratch.gate.call({ tool: "curl", input: { a: "@secret.txt" } }))).toBe("ARG_OPTION_INJECTION");
  });

  it("the dashes of a launcher are its own", async () => {
    const tools = {
      launcher: { script: "timeout -- 5 cat {{a}}", ...WORKS_HERE },
      program: { script: "timeout 5 cat -- {{a}}", ...WORKS_HERE },
    };
    await using scratch = openScriptGate(tools, { rules: RULES });
    scratch.put("-n", "it\n");
    const input = { a: "-n" };
    expect(codeOf(await scratch.gate.call({ tool: "launcher", input }))).toBe("ARG_OPTION_INJECTION");
    expect(printed(asKind(await scratch.gate.call({ tool: "program", input }), "completed").content)).toBe("it\n");
  });
});

needs("bwrap", "sqlite3")("a value in a statement that is written out", () => {
  it("arrives byte for byte by its digits", async () => {
    const script = `h=$(printf %s {{a}} | basenc --base16 -w0)\nsqlite3 -safe -batch :memory: "select cast(x'$h' as text)"`;
    await using scratch = openScriptGate({ digits: { script, ...WORKS_HERE } });
    const a = "' or 1; .shell touch canary\n'); drop table t; -- \\ \" é $(touch canary)";
    const outcome = asKind(await scratch.gate.call({ tool: "digits", input: { a } }), "completed");
    expect(printed(outcome.content)).toBe(`${a}\n`);
    expect(existsSync(join(scratch.workspace, "canary"))).toBe(false);
  });
});
