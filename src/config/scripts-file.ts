import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { type ErrorProfile, type ScriptTool, templateParameter } from "../domain/script-tool.ts";
import { quoted } from "../domain/visible.ts";
import { checkTemplate } from "../shell/check-template.ts";
import { mayBeData } from "../shell/data-programs.ts";
import type { TemplateProblem } from "../shell/template.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { type ShapeProblem, scriptsFileProblems, scriptToolProblems } from "./config-shape.ts";
import { readNamedFile } from "./named-file.ts";
import { commandProblems } from "./script-commands.ts";
import type { ScriptSecret } from "./script-environment.ts";
import { scriptToolFrom } from "./script-tool.ts";
import type { RawScriptTool } from "./script-tool-shape.ts";
import type { Variables } from "./variables.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

/** A file of `tools.scripts`: what it holds, and where it lies. */
export interface ScriptsFile {
  /** As the config names it. */
  readonly name: string;
  readonly text: string;
  /** As it was named, and what that name leads to: tools may write neither. */
  readonly paths: readonly string[];
  readonly tools: readonly ScriptTool[];
  /** Ids that may take the place of one in an earlier file. */
  readonly overrides: ReadonlySet<string>;
  readonly secrets: readonly ScriptSecret[];
  readonly problems: readonly ConfigProblem[];
  readonly placeOf: (id: string) => ConfigProblem;
}

interface FilePlace {
  readonly base: string;
  readonly config: YamlSource;
  readonly variables: Variables;
  readonly profile: ErrorProfile;
}

/** Everything about one file, all problems at once; a file with a problem brings no tool along. */
export function readScriptsFile(name: string, index: number, place: FilePlace): ScriptsFile {
  const at = ["tools", "scripts", index];
  const { paths, read } = readNamedFile({ name, at, holds: "the tools" }, place);
  if (read.ok) return { name, text: read.source.text, paths, ...toolsOf(read.source, read.folder, place) };
  const placeOf = (): ConfigProblem => placed({ path: at, what: "value", message: "" }, place.config);
  return { name, text: "", paths, tools: [], overrides: new Set(), secrets: [], problems: read.problems, placeOf };
}

type FoundTools = Pick<ScriptsFile, "tools" | "overrides" | "secrets" | "problems" | "placeOf">;

function toolsOf(source: YamlSource, base: string, place: FilePlace): FoundTools {
  const { value } = source.document;
  const shape = scriptsFileProblems(value);
  const listed = isJsonObject(value) && isJsonObject(value["tools"]) ? value["tools"] : {};
  const read = Object.entries(listed).map(([id, tool]) => {
    const found = oneTool(id, tool as JsonObject, { ...place, base });
    const problems = found.problems.map((one) => placed({ ...one, path: ["tools", id, ...one.path] }, source));
    return { ...found, problems };
  });
  const problems = [...shape.map((one) => placed(one, source)), ...read.flatMap((one) => one.problems)];
  return {
    tools: read.flatMap(({ tool }) => (tool === null ? [] : [tool])),
    overrides: new Set(read.flatMap(({ tool, overrides }) => (tool !== null && overrides ? [tool.id] : []))),
    secrets: read.flatMap(({ secrets }) => secrets),
    problems,
    placeOf: (id) => placed({ path: ["tools", id], what: "key", message: "" }, source),
  };
}

function oneTool(id: string, raw: JsonObject, place: FilePlace) {
  const shape = scriptToolProblems(raw);
  if (shape.length > 0) return { tool: null, overrides: false, secrets: [], problems: shape };
  // The cast is what the schema has found out.
  const well = raw as unknown as RawScriptTool;
  const { tool, secrets, problems } = scriptToolFrom(id, well, place);
  const found = [...problems, ...templateProblems(tool)];
  return { tool: found.length > 0 ? null : tool, overrides: well.override === true, secrets, problems: found };
}

/** The script's slots and commands, and the small templates beside it. */
function templateProblems(tool: ScriptTool): readonly ShapeProblem[] {
  const parameters = tool.parameters.map(templateParameter);
  const checked = checkTemplate(tool.script, parameters, tool.dataFor);
  const problems = checked.ok
    ? commandProblems(tool, checked.readings)
    : checked.problems.map((one) => inText(one, ["script"]));
  const texts: readonly (readonly [ShapeProblem["path"], string])[] = [
    ...(tool.caching?.keyTemplate ? [[["caching", "key_template"], tool.caching.keyTemplate] as const] : []),
    ...[...tool.errorMapping].flatMap(([exit, { detail }]) =>
      typeof detail === "string" ? [[["error_mapping", String(exit), "detail"], detail] as const] : [],
    ),
  ];
  return [
    ...dataProblems(tool),
    ...problems,
    ...texts.flatMap(([path, text]) => plainProblems(path, text, parameters)),
  ];
}

/** `data_for` speaks of programs that nothing is known of: what is known of the others holds. */
const dataProblems = ({ dataFor }: ScriptTool): readonly ShapeProblem[] =>
  dataFor.flatMap((name, at) =>
    mayBeData(name)
      ? []
      : [
          {
            path: ["data_for", at],
            what: "value" as const,
            message: `${quoted(name)} is no program of which nothing is known: what it does with values is in the tables`,
            hint: "leave it out, and write the value where it is data to that program",
          },
        ],
  );

/** A template of plain text has no places that could be unsafe: `: {{x}}` in a heredoc is read like it. */
function plainProblems(
  path: ShapeProblem["path"],
  text: string,
  parameters: Parameters<typeof checkTemplate>[1],
): readonly ShapeProblem[] {
  const names = checkTemplate(namesOnly(text), parameters);
  return names.ok ? [] : names.problems.map(({ message, hint }) => ({ path, what: "value", message, hint }));
}

/** What is not in braces is of no interest, and would be read as bash. */
const namesOnly = (text: string): string =>
  [...text.matchAll(/\{\{[^}]*\}\}/g)].map(([slot]) => `: ${slot}\n`).join("");

const inText = ({ message, hint, at }: TemplateProblem, path: ShapeProblem["path"]): ShapeProblem => ({
  path,
  what: "value",
  message,
  hint,
  offset: at,
});
