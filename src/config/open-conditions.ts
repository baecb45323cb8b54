import { createRequire } from "node:module";
import { type CompileCondition, conditionCompiler } from "../rules/condition.ts";

/**
 * The language of conditions, loaded when the first rule asks for it: a config without a condition does not pay for
 * two packages. `require`, because reading a config is synchronous.
 */
export function openConditions(): () => CompileCondition {
  const require = createRequire(import.meta.url);
  let compile: CompileCondition | null = null;
  return () => {
    compile ??= conditionCompiler({ cel: require("@marcbachmann/cel-js"), re2: () => require("re2js") });
    return compile;
  };
}
