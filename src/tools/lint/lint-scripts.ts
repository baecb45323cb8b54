import { type ScriptTool, templateParameter } from "../../domain/script-tool.ts";
import type { Programs } from "../../ports/programs.ts";
import { BUILTINS } from "../../shell/builtins.ts";
import { checkTemplate } from "../../shell/check-template.ts";
import type { Reading } from "../../shell/reading.ts";
import { type DefinitionProblem, type Finding, warning } from "./definition-problem.ts";

/** What is doubtful about script tools beside what their definitions show. `cwd` = where a path in a script begins. */
export async function lintScripts(
  tools: readonly ScriptTool[],
  programs: Programs,
  cwd: string,
): Promise<readonly DefinitionProblem[]> {
  const found = await Promise.all(
    tools.map(async (tool) => {
      const readings = readingsOf(tool);
      const missing = await missingPrograms(readings, programs, cwd);
      return [...lintTexts(tool), ...lintSecrets(tool), ...lintKey(tool), ...missing, ...lintUnknown(readings)].map(
        (finding) => ({ tool: tool.id, ...finding }),
      );
    }),
  );
  return found.flat();
}

function readingsOf({ script, parameters, dataFor }: ScriptTool): readonly Reading[] {
  const checked = checkTemplate(script, parameters.map(templateParameter), dataFor);
  return checked.ok ? checked.readings : [];
}

function lintTexts({ description, parameters }: ScriptTool): readonly Finding[] {
  return [
    ...(description === "" ? [warning("description", "missing", "no model can tell what the tool is for")] : []),
    ...parameters.flatMap(({ name, pattern }) =>
      pattern !== null && /^\^/.test(pattern) && !/\$$/.test(pattern)
        ? [warning(`parameters.${name}.pattern`, "open", "it has no `$`, so that anything may follow")]
        : [],
    ),
  ];
}

const lintSecrets = ({ sandbox }: ScriptTool): readonly Finding[] =>
  sandbox.inlineSecrets.map((name) =>
    warning(
      `sandbox.environment_variables.${name}`,
      "SECRET_INLINE",
      `a secret is written out; \`\${secret:${name}}\` takes it from the environment`,
    ),
  );

/** What the key leaves out makes no difference to the cache, and may make one to the result. */
function lintKey({ caching, parameters }: ScriptTool): readonly Finding[] {
  const { keyTemplate = null } = caching ?? {};
  if (keyTemplate === null) return [];
  return parameters
    .filter(({ name }) => !new RegExp(`\\{\\{[#^]?\\s*${name}\\b`).test(keyTemplate))
    .map(({ name }) =>
      warning("caching.key_template", "incomplete", `calls that differ in \`${name}\` share a result`),
    );
}

async function missingPrograms(
  readings: readonly Reading[],
  programs: Programs,
  cwd: string,
): Promise<readonly Finding[]> {
  const names = new Set(
    readings.flatMap(({ commands, functions }) =>
      commands.flatMap(({ argv, via, external }) =>
        [argv, ...via].flatMap(([first]) => {
          const name = first?.text ?? "";
          return !external && (BUILTINS.has(name) || functions.has(name)) ? [] : [name];
        }),
      ),
    ),
  );
  const looked = await Promise.all(
    [...names].map(async (name) => ({ name, found: await programs.resolve(name, cwd) })),
  );
  return looked
    .filter(({ found }) => found === null)
    .map(({ name }) =>
      warning("script", "program", `\`${name}\` is not there: install it, or name its folder in \`toolchains\``),
    );
}

const lintUnknown = (readings: readonly Reading[]): readonly Finding[] =>
  [...new Set(readings.flatMap(({ unknown }) => unknown))]
    .filter((reason) => !/__toolgate_/.test(reason))
    .map((reason) => warning("script", "unknown", `only a rule that names \`unknown\` lets it run: ${reason}`));
