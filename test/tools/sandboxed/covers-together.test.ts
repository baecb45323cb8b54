import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { openScriptGate, param } from "../script/script-gate.ts";

const RULES: readonly RuleSource[] = [
  { id: "run", effect: "allow", touch: { exec: ["**"], unknown: true }, dynamic: true, grant: { write: ["./**"] } },
  { id: "closed", effect: "deny", touch: { write: ["./**/.npmrc"] } },
  { id: "files", effect: "allow", touch: { read: ["./**"], write: ["./**"] } },
];

/** Says that it runs, waits to be told, and then tries to make what nobody may make. */
const TOOLS = {
  t: {
    script: [
      "echo x > {{name}}-runs",
      "until [ -e {{name}}-goes ]; do sleep 0.05; done",
      'mkdir -p "new-$TASK_ID" && cp -- /dev/null "new-$TASK_ID/.npmrc" && echo made',
      "echo tried",
    ].join("\n"),
    parameters: [param("name", { required: true })],
    sandbox: { working_directory: ".", timeout: 120 },
  },
};

const npmrcsIn = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((path) => path.endsWith("/.npmrc"));

needs("bwrap")("calls that run side by side", () => {
  it("leave nothing at closed places, in whatever order they end", async () => {
    await using scratch = openScriptGate(TOOLS, { rules: RULES });
    const other = scratch.again();
    const names = ["one", "two", "three"];
    const outcomes: Promise<Outcome>[] = [];
    for (const name of names) {
      const gate = name === "three" ? other : scratch.gate;
      outcomes.push(gate.call({ tool: "t", input: { name } }));
      const runs = join(scratch.workspace, `${name}-runs`);
      await vi.waitFor(() => expect(existsSync(runs)).toBe(true), { timeout: 120_000 });
    }
    for (const [at, outcome] of outcomes.entries()) {
      scratch.put(`${names[at]}-goes`);
      const [said] = asKind(await outcome, "completed").content;
      expect(said).toEqual({ type: "text", text: "made\ntried\n" });
      expect(npmrcsIn(scratch.workspace)).toEqual([]);
    }
    expect(readdirSync(scratch.workspace).filter((name) => name.includes("toolgate"))).toEqual([]);
  });

  it("begin and end in any order, and none is refused because another has ended", async () => {
    await using scratch = openScriptGate(
      { t: { script: 'echo x > "f-$TASK_ID"', sandbox: { working_directory: "." } } },
      { rules: RULES },
    );
    const gates = [scratch.gate, scratch.again()];
    for (let round = 0; round < 3; round++) {
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, n) => (gates[n % 2] ?? scratch.gate).call({ tool: "t", input: {} })),
      );
      expect(outcomes.map(codeOf)).toEqual(Array.from({ length: 6 }, () => "completed"));
    }
    expect(readdirSync(scratch.workspace).filter((name) => name.includes("toolgate"))).toEqual([]);
  });
});
