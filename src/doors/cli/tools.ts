import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { type Command, noWords } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { withGate } from "./with-gate.ts";

export const tools: Command = {
  name: "tools",
  usage: "tools",
  summary: "list the tools and what they take",
  details: "With --json: the definitions, as models see them.",
  examples: ["toolgate tools", "toolgate tools --json"],
  flags: {},
  run: async (invocation) => {
    const { terminal, flags, words } = invocation;
    noWords(words);
    return withGate(invocation, undefined, async (gate) => {
      const definitions = gate.tools();
      if (flags["json"]) {
        terminal.out(`${visibleJson(definitions)}\n`);
        return EXIT.ok;
      }
      for (const { name, description, inputSchema } of definitions) {
        terminal.out(
          `${terminal.outPaint("bold", visibleLine(name))}  ${visibleLine(description)}\n${inputLines(inputSchema)}`,
        );
      }
      return EXIT.ok;
    });
  },
};

function inputLines(schema: Readonly<Record<string, unknown>>): string {
  const required = (schema["required"] ?? []) as readonly string[];
  const properties = Object.entries(
    (schema["properties"] ?? {}) as Record<string, { type?: string; description?: string }>,
  );
  return properties
    .map(
      ([name, { type = "any", description = "" }]) =>
        `  ${name}${required.includes(name) ? "" : "?"}: ${type}  ${description}\n`,
    )
    .map((line) => line.replace(/ +\n$/, "\n"))
    .join("");
}
