import { type ConfigProblem, FILE_START } from "./config-problem.ts";
import type { ShapeProblem } from "./config-shape.ts";
import { readSettings } from "./settings-file.ts";
import { parseYaml, type YamlDocument } from "./yaml-document.ts";

/** A settings file that was read and is YAML. */
export interface YamlSource {
  /** As problems name it. */
  readonly file: string;
  readonly text: string;
  readonly document: YamlDocument;
}

export type ReadYaml =
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly unread: boolean; readonly problems: readonly ConfigProblem[] };

/** `unread` = not even its text is there. */
export function readYaml(path: string, file: string): ReadYaml {
  const read = readSettings(path, "shared");
  if (!read.ok) {
    const { message, hint } = read;
    const problem = { file, ...FILE_START, message, ...(hint !== undefined && { hint }) };
    return { ok: false, unread: true, problems: [problem] };
  }
  const parsed = parseYaml(read.text);
  if (parsed.ok) return { ok: true, source: { file, text: read.text, document: parsed.document } };
  return { ok: false, unread: false, problems: parsed.problems.map((problem) => ({ file, ...problem })) };
}

export const placed = (
  { path, what, offset, ...problem }: ShapeProblem,
  { file, document }: Pick<YamlSource, "file" | "document">,
): ConfigProblem => ({ file, ...document.placeOf(path, what, offset), ...problem });
