import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { type Command, type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import type { Paint } from "./terminal.ts";
import { toolsCheck } from "./tools-check.ts";
import { withGate } from "./with-gate.ts";

export const tools: Command = {
  name: "tools",
  usage: "tools [check [FILE or -]]",
  summary: "list the tools and what they take, or check their definitions",
  details:
    "Without a word: the tools, and with --json their definitions, as models see them.\n" +
    "check       names, descriptions, schemas, defaults, claims, and names that look alike; exit code 1 on errors\n" +
    "check FILE  the same for definitions that are in no configuration yet, as JSON",
  examples: [
    "toolgate tools",
    "toolgate tools --json",
    "toolgate tools check",
    "toolgate tools check server-tools.json",
  ],
  flags: {
    names: { type: "boolean", means: "only the names, one on each line" },
  },
  subcommands: ["check"],
  run: async (invocation) => {
    const [subcommand, file, ...more] = invocation.words;
    if (subcommand === undefined) return list(invocation);
    if (subcommand !== "check")
      throw new UsageError(`\`tools ${subcommand}\` does not exist`, "it is check, or nothing");
    noWords(more);
    return toolsCheck(invocation, file);
  },
};

function list(invocation: Invocation): Promise<number> {
  const { terminal, flags } = invocation;
  return withGate(invocation, undefined, async (gate) => {
    const definitions = gate.tools();
    if (flags["names"]) terminal.out(definitions.map(({ name }) => `${visibleLine(name)}\n`).join(""));
    else if (flags["json"]) terminal.out(`${visibleJson(definitions)}\n`);
    else terminal.out(definitions.map((each) => toolText(each, terminal.outPaint)).join(""));
    return EXIT.ok;
  });
}

const toolText = ({ name, description, inputSchema }: ToolDefinition, paint: Paint): string =>
  `${paint("bold", visibleLine(name))}  ${visibleLine(description)}\n${inputLines(inputSchema)}`;

function inputLines({ required, properties }: JsonObject): string {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isJsonObject(properties) ? properties : {})
    .map(([name, part]) => {
      const { type = "any", description = "" } = isJsonObject(part) ? part : {};
      return `  ${name}${isRequired(name) ? "" : "?"}: ${typeText(type)}  ${textOf(description)}`;
    })
    .map((line) => `${visibleLine(line).trimEnd()}\n`)
    .join("");
}

const typeText = (type: JsonValue): string => (Array.isArray(type) ? type.join(" or ") : textOf(type));
const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));
