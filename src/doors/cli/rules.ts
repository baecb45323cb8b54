import { inspectRules, type RulesInspection } from "../../wiring/inspect-rules.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags, noWords, UsageError } from "./command.ts";
import { rulesCheck, rulesTest } from "./rules-check.ts";
import { rulesExplain } from "./rules-explain.ts";
import { settingsFlags } from "./with-gate.ts";

type Subcommand = (inspection: RulesInspection, invocation: Invocation, words: readonly string[]) => number;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  check: rulesCheck,
  test: rulesTest,
  explain: rulesExplain,
};

export const rules: Command = {
  name: "rules",
  usage: "rules check | test | explain WORDS",
  summary: "check the rules, try their examples, and see which rule decides",
  details:
    "check          every problem of the configuration with its place; exit code 1 when there is one\n" +
    "test           tries the examples that the rules carry; exit code 1 when one does not hold\n" +
    "explain WORDS  which rules cover a touch, the strictest first, and which of them decides\n" +
    "A touch in words is `read ./src/a.ts`, also with write or delete, `connect example.com:443`, `tool NAME`,\n" +
    "`unknown`, or a command line such as `npm test`, of which each command is explained. Its path is taken as it is written, links are not followed.\n" +
    "All of it works with a configuration that does not load or was not accepted yet. Nothing is run or written.",
  examples: [
    "toolgate rules check",
    "toolgate rules test",
    `toolgate rules explain "write ./src/a.ts"`,
    `toolgate rules explain "npm test && git push"`,
    `toolgate rules explain "read /etc/hosts" --tool search_files --json`,
  ],
  flags: {
    tool: { type: "string", of: ["explain"], means: "which tool would do it; default: the built-in one" },
  },
  subcommands: Object.keys(SUBCOMMANDS),
  run: async (invocation) => {
    const [name = "check", ...words] = invocation.words;
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (!subcommand) throw new CommandLineError(`\`rules ${name}\` does not exist`, "it is check, test or explain");
    if (name !== "explain") noWords(words);
    noOtherFlags(rules, name, invocation.flags);
    const inspection = inspectRules(settingsFlags(invocation));
    if (inspection === null)
      throw new UsageError("there is no `toolgate.yaml` here or in a folder above", "`toolgate init` writes one");
    return subcommand(inspection, invocation, words);
  },
};
