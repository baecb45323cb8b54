import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { nearest } from "../../domain/nearest.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { FORMAT_NAMES, type FormatName } from "../../formats/formats.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags, noWords, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { tellOutOfUse } from "./tell-out-of-use.ts";
import type { Paint } from "./terminal.ts";
import { toolsCheck } from "./tools-check.ts";
import { TRUSTS } from "./trusts.ts";
import { withGate } from "./with-gate.ts";

/** `json` is the gate's own; skills are what an agent card lists. */
const FORMATS: readonly ("a2a-skills" | "json" | FormatName)[] = [...FORMAT_NAMES, "a2a-skills", "json"];

export const tools: Command = {
  name: "tools",
  usage: "tools [--format FORMAT] [add PROGRAM] [check [FILE or -]]",
  summary: "list the tools and what they take, add a program, or check definitions",
  details:
    "Without a word: the tools, and with --json their definitions; with --format as a provider of models takes them, with\n" +
    "names, schemas and descriptions that are good there, or as skills of an A2A agent card; --only chooses some, where a provider takes no more (OpenAI 128).\n" +
    "add PROGRAM has a program describe itself (`PROGRAM --agent`, in the sandbox), shows what that would add to the\n" +
    "            configuration, and adds it: each of its commands is a tool then\n" +
    "check       names, descriptions, schemas, defaults, claims, and names that look alike; exit code 1 on errors\n" +
    "check FILE  the same for definitions that are in no configuration yet, as JSON: a list of tools, or ATIP metadata",
  examples: [
    "toolgate tools",
    "toolgate tools --json",
    "toolgate tools --format anthropic",
    "toolgate tools add gh",
    "toolgate tools add gh --from gh.json --trust org",
    "toolgate tools check",
    "toolgate tools check server-tools.json",
  ],
  flags: {
    format: {
      type: "string",
      of: [""],
      means: `for a provider: ${FORMATS.join(", ")}`,
      value: FORMATS,
    },
    only: {
      type: "string",
      of: [""],
      means: "with --format: only these, by name, with commas between; `*` stands for anything",
    },
    names: { type: "boolean", of: [""], means: "only the names, one on each line" },
    from: {
      type: "string",
      of: ["add"],
      means: "a file with the description, instead of asking the program",
      value: "file",
    },
    trust: { type: "string", of: ["add"], means: `whose word the description is: ${TRUSTS.join(", ")}`, value: TRUSTS },
    yes: { type: "boolean", of: ["add"], means: "without being asked; for scripts that have read what is shown" },
  },
  subcommands: ["add", "check"],
  agents: ["", "check"],
  run: async (invocation) => {
    const [subcommand, file, ...more] = invocation.words;
    if (subcommand !== undefined && subcommand !== "check" && subcommand !== "add")
      throw new CommandLineError(`\`tools ${subcommand}\` does not exist`, "it is add, check, or nothing");
    noOtherFlags(tools, subcommand ?? "", invocation.flags);
    const format = formatFrom(invocation);
    if (invocation.flags["only"] !== undefined && (format === null || format === "json" || format === "a2a-skills"))
      throw new UsageError(
        "`--only` goes with the format of a provider",
        "`toolgate tools --format openai --only 'git*'`",
      );
    if (subcommand === undefined) return list(invocation, format);
    noWords(more);
    if (subcommand === "add") return (await import("./tools-add.ts")).toolsAdd(invocation, file);
    return toolsCheck(invocation, file);
  },
};

function formatFrom({ flags: { format } }: Invocation): (typeof FORMATS)[number] | null {
  if (format === undefined) return null;
  const known = FORMATS.find((name) => name === format);
  if (known !== undefined) return known;
  const [near] = nearest(String(format), FORMATS);
  throw new UsageError(
    `\`${format}\` is no format`,
    near === undefined ? `it is one of ${FORMATS.join(", ")}` : `did you mean \`${near}\``,
  );
}

function list(invocation: Invocation, format: (typeof FORMATS)[number] | null): Promise<number> {
  const { terminal, flags } = invocation;
  return withGate(invocation, undefined, async (gate) => {
    await gate.upstreams.ready();
    tellOutOfUse(gate, terminal);
    const definitions = gate.tools();
    if (flags["names"]) terminal.out(definitions.map(({ name }) => `${visibleLine(name)}\n`).join(""));
    else if (format === "a2a-skills") {
      const { seedSkill } = await import("../../formats/a2a-acp/skill.ts");
      terminal.out(`${visibleJson(definitions.map(seedSkill))}\n`);
    } else if (format !== null && format !== "json")
      terminal.out(`${visibleJson(gate.tools(format, onlyIn(flags)))}\n`);
    else if (flags["json"] || format === "json") terminal.out(`${visibleJson(definitions)}\n`);
    else terminal.out(definitions.map((each) => toolText(each, terminal.outPaint)).join(""));
    return EXIT.ok;
  });
}

const onlyIn = ({ only }: Invocation["flags"]) =>
  typeof only === "string" ? { only: only.split(",").map((name) => name.trim()) } : {};

const toolText = ({ name, description, inputSchema }: ToolDefinition, paint: Paint): string =>
  `${paint("bold", visibleLine(name))}  ${visibleLine(description)}\n${inputLines(inputSchema)}`;

const inputLines = (schema: JsonObject): string =>
  membersOf(schema)
    .map(({ name, part }) => {
      const { description = "" } = isJsonObject(part) ? part : {};
      return `  ${name}: ${typeText(part)}  ${textOf(description)}`;
    })
    .map((line) => `${visibleLine(line).trimEnd()}\n`)
    .join("");

/** Names with `?` where they may be left out. */
function membersOf({
  required,
  properties,
}: JsonObject): readonly { readonly name: string; readonly part: JsonValue }[] {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, part]) => ({
    name: `${name}${isRequired(name) ? "" : "?"}`,
    part,
  }));
}

/** Deeper than this, and with more choices than these, the definition itself is easier to read: `--json`. */
const DEPTH_MAX = 3;
const CHOICES_MAX = 24;

/** A schema in a few words: `string`, `replace or insert`, `array of {type: …, line?: integer}`. */
function typeText(part: JsonValue, depth = 0): string {
  if (!isJsonObject(part)) return "any";
  const { type, enum: choices, items } = part;
  if (Array.isArray(choices) && choices.length <= CHOICES_MAX) return choices.map(textOf).join(" or ");
  if (Array.isArray(type)) return type.map(textOf).join(" or ");
  if (depth < DEPTH_MAX && type === "array" && isJsonObject(items)) return `array of ${typeText(items, depth + 1)}`;
  const members = depth > 0 && depth < DEPTH_MAX ? membersOf(part) : [];
  if (members.length === 0) return type === undefined ? "any" : textOf(type);
  return `{${members.map((member) => `${member.name}: ${typeText(member.part, depth + 1)}`).join(", ")}}`;
}

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));
