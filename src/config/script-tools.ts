import type { ScriptTool } from "../domain/script-tool.ts";
import { quoted } from "../domain/visible.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { RawConfig } from "./config-shape.ts";
import type { ScriptSecret } from "./script-environment.ts";
import { readScriptsFile, type ScriptsFile } from "./scripts-file.ts";

export interface ScriptTools {
  readonly files: readonly ScriptsFile[];
  readonly tools: readonly ScriptTool[];
  readonly secrets: readonly ScriptSecret[];
  readonly problems: readonly ConfigProblem[];
}

/** The tools of all files. A name that two of them have is a mistake, unless the later one says `override: true`. */
export function scriptToolsFrom({ tools }: RawConfig, place: Parameters<typeof readScriptsFile>[2]): ScriptTools {
  const files = (tools?.scripts ?? []).map((name, index) => readScriptsFile(name, index, place));
  const byId = new Map<string, ScriptTool>();
  const problems: ConfigProblem[] = files.flatMap((file) => file.problems);
  for (const file of files) {
    for (const tool of file.tools) {
      if (byId.has(tool.id) && !file.overrides.has(tool.id))
        problems.push({
          ...file.placeOf(tool.id),
          message: `a tool called ${quoted(tool.id)} is in an earlier file`,
          hint: "give it another name, or say `override: true`",
        });
      byId.set(tool.id, tool);
    }
  }
  return { files, tools: [...byId.values()], secrets: files.flatMap(({ secrets }) => secrets), problems };
}
