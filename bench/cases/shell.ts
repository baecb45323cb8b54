import { forEachChild, parse, type SyntaxNode } from "unbash";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { type FoundProgram, type Names, touchesOf } from "../../src/shell/command-touches.ts";
import { readScript } from "../../src/shell/read-script.ts";
import type { Suite } from "../harness.ts";
import { factsForBench, WORKSPACE } from "../parts/command-facts.ts";

/** What agents run all day: from one word to a line with substitutions. */
const COMMANDS: readonly string[] = [
  "npm test",
  "git log --oneline -5",
  "git status --short && git diff --stat",
  "cd packages/core && npm run build 2>&1 | tail -n 40",
  "ls -la src/components",
  "grep -rn 'export function' src --include='*.ts' | head -n 20",
  "find . -name '*.test.ts' -not -path './node_modules/*'",
  "cat package.json | grep -A 10 '\"scripts\"'",
  "sed -n '1,120p' src/pipeline/run.ts",
  'for f in src/*.ts; do echo "$f"; wc -l "$f"; done',
  "NODE_ENV=test timeout 60 npx vitest run test/rules --reporter=dot",
  "git commit -m \"$(cat <<'EOF'\nA message of some length\n\nwith a body, too\nEOF\n)\"",
  "if [ -f tsconfig.json ]; then npx tsc --noEmit -p .; else echo 'no config'; fi",
  "curl -sS https://example.com/api/v1/items | jq -r '.items[] | .name' | sort -u",
  "python3 scripts/report.py --since 2026-01-01 --output-format json",
  "mkdir -p build && cp -r assets build/ && echo done",
];

const ROUNDS = 40;

const RULES: readonly RuleSource[] = [
  {
    id: "look",
    effect: "allow",
    touch: { exec: ["ls **", "cat **", "git log **", "git status **", "grep **", "find **"] },
  },
  { id: "test", effect: "allow", touch: { exec: ["npm test", "npm run build", "cd *"] } },
  { id: "push", effect: "ask", touch: { exec: ["git push **"] } },
  { id: "destroy", effect: "deny", touch: { exec: ["rm -rf **", "sudo **"] } },
  { id: "others", effect: "ask", otherwise: true, touch: { exec: ["**"] } },
];

/** Looked up beforehand, as the gate does it. */
const programs = new Map<string, FoundProgram>();

const NAMES: Names = {
  program: (word) => {
    const found = programs.get(word) ?? { program: `/usr/bin/${word}`, origin: "toolchain" };
    programs.set(word, found);
    return found;
  },
  path: (path) => (path.startsWith("/") ? path : `${WORKSPACE}/${path}`),
  isInWorkspace: (path) => path.startsWith(`${WORKSPACE}/`),
};

/** What reading and judging a command costs, beside a parser that only parses it. */
export const shell: Suite = {
  name: "shell",
  rounds: 60,
  warmUpRounds: 20,
  aims: [
    {
      says: "read and judge a command / bare parse",
      value: (usOf) => usOf("read and judge") / usOf("unbash parse"),
      unit: "ratio",
      bound: { atMost: 3 },
    },
    {
      says: "read and judge a command / parse with all its parts",
      value: (usOf) => usOf("read and judge") / usOf("unbash parse, all parts"),
      unit: "ratio",
      bound: { atMost: 3 },
    },
  ],
  open: async () => {
    const compiled = compileRules(RULES, { workspace: WORKSPACE });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    const { rules } = compiled;
    const facts = factsForBench();
    const visit = (node: SyntaxNode): void => forEachChild(node, visit);
    const each = (use: (command: string) => void) => () => {
      for (let round = 0; round < ROUNDS; round++) for (const command of COMMANDS) use(command);
    };
    const unitsPerRound = ROUNDS * COMMANDS.length;
    return {
      note: "unbash makes the parts of a word (quotes, expansions, substitutions) only when somebody asks for them",
      cases: [
        { name: "unbash parse", unitsPerRound, round: each((command) => void parse(command)) },
        { name: "unbash parse, all parts", unitsPerRound, round: each((command) => visit(parse(command))) },
        {
          name: "read and judge",
          unitsPerRound,
          round: each((command) => {
            for (const touch of touchesOf(readScript(command), NAMES)) rules.judge(touch, facts);
          }),
        },
      ],
    };
  },
};
