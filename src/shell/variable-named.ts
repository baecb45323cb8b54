import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import { changesExecution, isCodeToPrograms } from "./variable-names.ts";
import type { WhereValuesAre } from "./where-values-are.ts";

const CONTAINERS = /^(?:docker|podman|nerdctl)$/;
const SETS = /^(?:-[a-z]*e|--env)$/;

/** `docker run -e {{x}}`: a value that says which variable is set, or sets one by which programs are told what to run. */
export function variableNamed(name: string, words: readonly FlowingWord[], where: WhereValuesAre): CodeUse | null {
  if (!CONTAINERS.test(name)) return null;
  for (const [at, word] of words.entries()) {
    const before = words[at - 1]?.text ?? "";
    const [, set] = /^["']?([A-Za-z_]\w*)=/.exec(word.raw) ?? [];
    const isSet = SETS.test(before);
    const isNamed = (isSet && set === undefined) || before === "--env-file";
    const isCode = isSet && set !== undefined && (changesExecution(set) || isCodeToPrograms(set));
    const index = isNamed || isCode ? where.odd(word.flow.holds) : undefined;
    if (index !== undefined)
      return {
        index,
        why: "it would say which variable is set, and some change what programs do",
        fix: "write the variable's name out: `-e NAME={{x}}`",
      };
  }
  return null;
}
