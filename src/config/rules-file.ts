import { apm2PolicyFrom, isApm2Policy } from "./apm2-policy.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { GivenRule } from "./config-rules.ts";
import { rulesFileProblems, wellShapedRules } from "./config-shape.ts";
import { readNamedFile } from "./named-file.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

/** A file of `rulesFiles`: what it holds, and where it lies. */
export interface RulesFile {
  /** As the config names it. */
  readonly name: string;
  readonly text: string;
  /** As it was named, and what that name leads to: tools may write neither. */
  readonly paths: readonly string[];
  readonly rules: readonly GivenRule[];
  readonly problems: readonly ConfigProblem[];
  /** What somebody who wrote it should know; no mistakes. */
  readonly notes: readonly ConfigProblem[];
  /** It is a policy file of APM2. */
  readonly isPolicy?: true;
}

/** Everything about one file, all problems at once. `config` is the file that names it. */
export function readRulesFile(name: string, index: number, base: string, config: YamlSource): RulesFile {
  const { paths, read } = readNamedFile({ name, at: ["rulesFiles", index], holds: "the rules" }, { base, config });
  if (read.ok) return { name, text: read.source.text, paths, ...rulesOf(read.source) };
  return { name, text: "", paths, rules: [], problems: read.problems, notes: [] };
}

export function rulesOf(source: YamlSource): Pick<RulesFile, "rules" | "problems" | "notes" | "isPolicy"> {
  const { value } = source.document;
  if (isApm2Policy(value)) return { ...apm2PolicyFrom(source), isPolicy: true };
  const isList = Array.isArray(value);
  const whole = isList ? { rules: value } : value;
  const shape = rulesFileProblems(whole);
  // A file that is a list is treated as if it had `rules:` before it; places are those of the list.
  const written = (path: readonly (string | number)[]) => (isList ? path.slice(1) : path);
  return {
    rules: wellShapedRules(whole, shape).map(({ rule, index }) => ({ rule, at: written(["rules", index]), source })),
    problems: shape.map((problem) => placed({ ...problem, path: written(problem.path) }, source)),
    notes: [],
  };
}
