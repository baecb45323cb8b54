import type { ScriptTool } from "../domain/script-tool.ts";
import { quoted } from "../domain/visible.ts";
import { BUILTINS } from "../shell/builtins.ts";
import type { Reading } from "../shell/reading.ts";
import type { ShapeProblem } from "./config-shape.ts";

/** What a script runs that is not in `allowed_commands`. The shell's own commands start nothing, and need no leave. */
export function commandProblems(
  { sandbox, script }: ScriptTool,
  readings: readonly Reading[],
): readonly ShapeProblem[] {
  const { allowedCommands } = sandbox;
  if (allowedCommands === null) return [];
  const problems = new Map<string, ShapeProblem>();
  for (const { commands, functions } of readings) {
    for (const { argv, via, external } of commands) {
      for (const name of [argv, ...via].map(([first]) => first?.text ?? "")) {
        const isOfShell = !external && (BUILTINS.has(name) || functions.has(name));
        if (isOfShell || allowedCommands.includes(name) || problems.has(name)) continue;
        problems.set(name, {
          path: ["script"],
          what: "value",
          message: `the script runs ${quoted(name)}, which is not in \`allowed_commands\``,
          hint: "add it to `allowed_commands`, or do without it",
          offset: Math.max(0, script.search(new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`))),
        });
      }
    }
  }
  return [...problems.values()];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
