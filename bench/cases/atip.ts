import { buildArgv } from "../../src/atip/build-argv.ts";
import { gateFindings } from "../../src/atip/gate-policy.ts";
import { leafCheck } from "../../src/atip/leaf-check.ts";
import type { AtipTool } from "../../src/atip/metadata.ts";
import { policyRules } from "../../src/atip/policy-rules.ts";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { ExecTouch } from "../../src/domain/touch.ts";
import { CommandMap } from "../../src/doors/atip/mapping.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import type { Aim, Suite } from "../harness.ts";

const CALLS = 20_000;
const FLAT = { atMost: 1.5 };
const STEPS = ["mapping and validation", "judging"] as const;

const flat = (step: string): Aim => ({
  says: `${step}: 10,000 tools / 10 tools`,
  value: (usOf) => usOf(`${step}, 10,000 tools`) / usOf(`${step}, 10 tools`),
  unit: "ratio",
  bound: FLAT,
});

/** From a flattened name to a checked command line, and what the rules of its description say: the same for any catalog. */
export const atip: Suite = {
  name: "atip",
  rounds: 60,
  warmUpRounds: 15,
  aims: STEPS.map(flat),
  open: async () => ({
    cases: [10, 10_000].flatMap((tools) => {
      const { mapped, judged } = catalogOf(tools);
      const size = `${tools.toLocaleString("en")} tools`;
      return [
        { name: `mapping and validation, ${size}`, unitsPerRound: CALLS, round: () => mapped(CALLS) },
        { name: `judging, ${size}`, unitsPerRound: CALLS, round: () => judged(CALLS) },
      ];
    }),
  }),
};

const INPUT: JsonObject = { title: "a title", count: "12", labels: ["a", "b"], draft: true };

const described = (tools: number): AtipTool => ({
  atip: { version: "0.6" },
  name: "tool",
  version: "1",
  description: "A program with many commands",
  trust: { source: "community" },
  commands: Object.fromEntries(
    Array.from({ length: tools }, (_, n) => [
      `command_${n}`,
      {
        description: "Does one of many things",
        effects: { network: true, destructive: n % 10 === 0 },
        options: [
          { name: "title", flags: ["-t", "--title"], type: "string", description: "d", required: true },
          { name: "count", flags: ["--count"], type: "integer", description: "d" },
          { name: "labels", flags: ["--label"], type: "array", description: "d" },
          { name: "draft", flags: ["--draft"], type: "boolean", description: "d" },
        ],
      },
    ]),
  ),
});

/** A few tools are called, so that what is measured is the table and not the memory. */
function catalogOf(tools: number): Record<"mapped" | "judged", (count: number) => void> {
  const map = new CommandMap([described(tools)], "_");
  const names = Array.from({ length: 10 }, (_, n) => `tool_command_${Math.floor((n * tools) / 10)}`);
  const leaves = [...map.entries()].map(({ leaf }) => leaf);
  const checks = new Map(names.map((name) => [name, leafCheck(found(map, name).leaf)]));
  const standing = { trust: "community", verification: "verified", isPartial: false } as const;
  const sources = policyRules("atip:tool", leaves, ({ effects }) => gateFindings(effects, standing));
  const compiled = compileRules([{ id: "run", effect: "allow", touch: { exec: ["tool **"] } }, ...sources], {
    workspace: "/ws",
  });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return {
    mapped: (count) => {
      for (let n = 0; n < count; n++) {
        const { leaf } = found(map, names[n % names.length] as string);
        const check = checks.get(leaf.name);
        const input = check?.coerce(INPUT) ?? INPUT;
        if (check?.check(input).length !== 0 || !buildArgv(leaf, input).ok) throw new Error(leaf.name);
      }
    },
    judged: (count) => {
      for (let n = 0; n < count; n++) {
        const tool = names[n % names.length] as string;
        if (compiled.rules.judge(TOUCH, { ...FACTS, tool }).effect === "allow") throw new Error(tool);
      }
    },
  };
}

function found(map: CommandMap, name: string) {
  const mapping = map.find(name);
  if (mapping === null) throw new Error(name);
  return mapping;
}

const TOUCH: ExecTouch = {
  kind: "exec",
  program: "/usr/bin/tool",
  origin: "toolchain",
  argv: ["tool", "command", "--title", "a title"].map((text) => ({ text, known: true })),
};

const FACTS: Omit<CallFacts, "tool"> = {
  source: "atip",
  containment: "sandbox",
  touches: [TOUCH],
  input: INPUT,
  actor: "bench",
  project: "default",
  session: { id: "s", project: "default", lease: EVERYTHING },
  nowMs: 0,
};
