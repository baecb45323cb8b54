// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openUncontained } from "../../../src/sandbox/uncontained.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { openScriptGate, param, printed } from "./script-gate.ts";

needs("bwrap")("a script tool", () => {
  it("runs its template with the values as they are", async () => {
    await using scratch = openScriptGate({
      hello: { description: "says it", script: "printf '%s|' {{a}} \"{{a}}\" '{{a}}'", parameters: [param("a")] },
    });
    const value = "x; touch C $(touch C) `touch C` ' \" \\ {{a}} \n\u0001";
    const outcome = asKind(await scratch.gate.call({ tool: "hello", input: { a: value } }), "completed");
    expect(printed(outcome.content)).toBe(`${value}|${value}|${value}|`);
    expect(outcome).toMatchObject({ attempts: 1, cached: false, containment: "sandbox", exitCode: 0 });
    expect(existsSync(join(scratch.workspace, "C"))).toBe(false);
  });

  it("takes values of megabytes, byte for byte", async () => {
    await using scratch = openScriptGate({
      size: {
        script: "wc -c <<< {{a}}; sha256sum <<EOF\n{{a}}\nEOF",
        parameters: [param("a")],
        sandbox: { max_file_size_mb: 100 },
      },
    });
    const value = "aé\n'\"$`\\".repeat(400_000);
    const outcome = asKind(await scratch.gate.call({ tool: "size", input: { a: value } }), "completed");
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update(`${value}\n`).digest("hex");
    expect(printed(outcome.content)).toBe(`${Buffer.byteLength(value) + 1}\n${hash}  -\n`);
  });

  it("shows the rules what its slots hold", async () => {
    await using scratch = openScriptGate({
      show: {
        script: "cat -- {{a}} < {{b}}",
        parameters: [param("a"), param("b")],
        sandbox: { working_directory: "." },
      },
    });
    scratch.put("in.txt", "x");
    const explained = await scratch.gate.explain({ tool: "show", input: { a: "one two", b: "in.txt" } });
    expect(explained.touches).toMatchObject([
      { kind: "exec", argv: [{ text: "cat" }, { text: "--" }, { text: "one two", known: true }] },
      { kind: "read", path: join(scratch.workspace, "in.txt") },
    ]);
  });

  it("repeats sections, and leaves them out", async () => {
    await using scratch = openScriptGate({
      all: {
        script: [
          "printf '<%s>' {{#l}} {{.}} {{/l}} {{#o}} \"{{key}}={{value}}\" {{/o}} end",
          "{{#b}}printf yes{{/b}}{{^b}}printf no{{/b}}",
          "{{#s}}printf '(%s)' {{s}}{{/s}}",
          "printf '%s' {{o|tojson}} {{n|default(30)}}",
        ].join("\n"),
        parameters: [
          param("l", { type: "array" }),
          param("o", { type: "object" }),
          param("b", { type: "boolean" }),
          param("s"),
          param("n", { type: "number" }),
        ],
      },
    });
    const full = { l: ["a b", "*"], o: { k: "v w", x: 1 }, b: true, s: "t", n: 7 };
    const outcome = asKind(await scratch.gate.call({ tool: "all", input: full }), "completed");
    expect(printed(outcome.content)).toBe('<a b><*><k=v w><x=1><end>yes(t){"k":"v w","x":1}7');
    const empty = asKind(await scratch.gate.call({ tool: "all", input: { o: {}, l: [], s: "" } }), "completed");
    expect(printed(empty.content)).toBe("<end>no{}30");
  });

  describe("without a value", () => {
    const tools = {
      branch: {
        script:
          'case {{op}} in a) printf %s {{x}} ;; b) printf %s {{y}} > {{y}} ;; c) printf "%s" "$(printf %s "{{y}}" 2>/dev/null)"; printf on ;; esac',
        parameters: [param("op", { required: true }), param("x"), param("y")],
      },
    };

    it("fails only when bash gets there, and says what is missing", async () => {
      await using scratch = openScriptGate(tools);
      const reached = asKind(await scratch.gate.call({ tool: "branch", input: { op: "a", x: "1" } }), "completed");
      expect(printed(reached.content)).toBe("1");
      for (const op of ["b", "c"]) {
        const missing = asKind(await scratch.gate.call({ tool: "branch", input: { op, x: "1" } }), "failed");
        expect(missing.error).toMatchObject({ code: "TEMPLATE_MISSING_VALUE", mapped: { code: -32602 } });
        expect(missing.error.message).toContain("`y`");
        expect(printed(missing.content)).not.toContain("on");
      }
    });
  });

  describe("refuses", () => {
    const tools = {
      list: { script: "ls {{a}}", parameters: [param("a")] },
      both: { script: "ls {{a}}{{b}}", parameters: [param("a"), param("b")] },
      guarded: { script: "ls -d -- {{a}}; printf '%s\\n' {{a}}", parameters: [param("a")] },
      open: { script: "echo {{a}}", parameters: [param("a", { allow_dash: true })] },
      option: { script: "echo {{a}}", parameters: [param("a", { type: "option" })] },
      valued: { script: "echo --x={{a}} '{{a}}'x", parameters: [param("a")] },
      closed: { script: "echo {{a}}", parameters: [param("a", { enum: ["-x", "y"] })] },
      ours: { script: "echo {{a}} {{b|default('-y')}}", parameters: [param("a", { default: "-x" })] },
      carried: { script: 'f={{a}}\ng="$f"\nsort "$g"', parameters: [param("a")] },
      listed: { script: 'f=({{#l}} {{.}} {{/l}})\nls "${f[@]}"', parameters: [param("l", { type: "array" })] },
      passed: { script: 'f() { ls -d "$1"; }\nf {{a}}', parameters: [param("a")] },
      behind: { script: 'f={{a}}\nls -d -- "$f" "$f"/', parameters: [param("a")] },
      headed: { script: 'f=./{{a}}\nls "$f" || true', parameters: [param("a")] },
      meant: { script: 'f={{a}}\nls "$f"', parameters: [param("a", { allow_dash: true })] },
      fallen: { script: "f={{a|default('-d')}}\nls \"$f\" .", parameters: [param("a")] },
      tested: { script: "[ {{a}} = x ] || echo no", parameters: [param("a", { allow_dash: true })] },
    };
    const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ["list", { a: "-la" }, "ARG_OPTION_INJECTION"],
      ["list", { a: "." }, "completed"],
      ["both", { a: "", b: "-la" }, "ARG_OPTION_INJECTION"],
      ["both", { a: ".", b: "/" }, "completed"],
      ["guarded", { a: "-la" }, "completed"],
      ["open", { a: "-x" }, "completed"],
      ["option", { a: "-x" }, "completed"],
      ["valued", { a: "-x" }, "ARG_OPTION_INJECTION"],
      ["closed", { a: "-x" }, "completed"],
      ["closed", { a: "-y" }, "INVALID_ARGUMENTS"],
      ["ours", {}, "completed"],
      ["ours", { a: "-z" }, "ARG_OPTION_INJECTION"],
      ["ours", { b: "-z" }, "ARG_OPTION_INJECTION"],
      ["tested", { a: "-v" }, "ARG_OPTION_INJECTION"],
      ["carried", { a: "-o/tmp/written" }, "ARG_OPTION_INJECTION"],
      ["carried", { a: "--compress-program=id" }, "ARG_OPTION_INJECTION"],
      ["carried", { a: "/dev/null" }, "completed"],
      ["listed", { l: [".", "-la"] }, "ARG_OPTION_INJECTION"],
      ["listed", { l: [".", "/"] }, "completed"],
      ["passed", { a: "-la" }, "ARG_OPTION_INJECTION"],
      ["passed", { a: "." }, "completed"],
      ["behind", { a: "-la" }, "TOOL_FAILED"],
      ["headed", { a: "-la" }, "completed"],
      ["meant", { a: "-la" }, "completed"],
      ["fallen", {}, "completed"],
      ["fallen", { a: "-la" }, "ARG_OPTION_INJECTION"],
      ["list", { a: "a\0b" }, "INVALID_ARGUMENTS"],
      ["list", { a: "\ud800" }, "INVALID_ARGUMENTS"],
      ["list", { a: 1, c: 2 }, "INVALID_ARGUMENTS"],
    ];
    it("what a program would take for an option, and what no program can be given", async () => {
      await using scratch = openScriptGate(tools);
      for (const [tool, input, code] of cases)
        expect([tool, codeOf(await scratch.gate.call({ tool, input: input as never }))]).toEqual([tool, code]);
    });
  });

  it("repeats a section so often and no more, also where sections multiply", async () => {
    const parameters = [param("l", { type: "array" })];
    await using scratch = openScriptGate({
      one: { script: "printf '%s ' {{#l}} {{.}} {{/l}}", parameters },
      two: { script: "{{#l}}{{#l}} echo {{.}}; {{/l}}{{/l}}", parameters },
    });
    const call = (tool: string, length: number) =>
      scratch.gate.call({ tool, input: { l: Array.from({ length }, (_, n) => `a${n}`) } });
    expect(printed(asKind(await call("one", 100), "completed").content)).toMatch(/^a0 .* a99 $/);
    for (const [tool, length] of [
      ["one", 1001],
      ["two", 50_000],
    ] as const)
      expect(asKind(await call(tool, length), "refused").refusal).toMatchObject({
        code: "INVALID_ARGUMENTS",
        message: expect.stringContaining("1000 values"),
        hint: expect.stringContaining("tojson"),
      });
  });

  it("asks whatever the rules allow where it wants to be confirmed", async () => {
    const tools = {
      risky: {
        script: "echo done",
        sandbox: { requires_confirmation: true, confirmation_message: "This can't be undone. Proceed?" },
      },
    };
    await using scratch = openScriptGate(tools);
    const explained = await scratch.gate.explain({ tool: "risky", input: {} });
    expect(explained).toMatchObject({ decision: "ask", reasons: ["This can't be undone. Proceed?"] });
    const pending = asKind(await scratch.gate.call({ tool: "risky", input: {} }, { whenAsked: "return" }), "pending");
    expect(pending.approval.reasons).toContain("This can't be undone. Proceed?");
    await using rejecting = openScriptGate(tools, { approver: { ask: async () => ({ kind: "reject", who: "ann" }) } });
    expect(codeOf(await rejecting.gate.call({ tool: "risky", input: {} }))).toBe("APPROVAL_REJECTED");
    await using approving = openScriptGate(tools, { approver: { ask: async () => ({ kind: "approve", who: "ann" }) } });
    expect(codeOf(await approving.gate.call({ tool: "risky", input: {} }))).toBe("completed");
  });
});

needs("bash")("a script tool without a sandbox", () => {
  it("has its own folder, its values and its secrets all the same", async () => {
    await using scratch = openScriptGate(
      {
        t: {
          script:
            'printf "%s|" {{a}} "$KEY_LENGTH"; [ "$PWD" = "$TOOL_WORKING_DIR" ] && echo "${#API_KEY}"; touch left',
          parameters: [param("a")],
          sandbox: { environment_variables: { API_KEY: "sk-0123456789", KEY_LENGTH: 13 } },
        },
      },
      { inner: { sandbox: openUncontained({ searchPath: ["/usr/bin", "/bin"] }) } },
    );
    const outcome = asKind(await scratch.gate.call({ tool: "t", input: { a: "$(id)'" } }), "completed");
    expect(printed(outcome.content)).toBe("$(id)'|13|13\n");
    expect(outcome.sandbox?.backend).toBe("none");
  });
});

needs("bwrap")("many script tools at once", () => {
  it("each have their own decision and outcome, in the order of the calls", async () => {
    await using scratch = openScriptGate(
      { one: { script: "echo one {{a}}", parameters: [param("a")] }, two: { script: "echo two" } },
      { rules: [{ id: "one", effect: "allow", tools: ["one"] }] },
    );
    const outcomes = await scratch.gate.batch([
      { tool: "one", input: { a: "1" } },
      { tool: "two", input: {} },
      { tool: "one", input: { a: "-n" } },
      { tool: "one", input: { a: "2" } },
    ]);
    expect(outcomes.map((outcome) => ("kind" in outcome ? codeOf(outcome) : ""))).toEqual([
      "completed",
      "DEFAULT_DENY",
      "ARG_OPTION_INJECTION",
      "completed",
    ]);
  });
});
