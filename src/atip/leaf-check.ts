import type { InputCheck, InputCoercion } from "../domain/tool.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { buildArgv } from "./build-argv.ts";
import type { Leaf } from "./leaf.ts";
import { ownInputOf } from "./own-input.ts";
import { inputSchema } from "./parameter-schema.ts";

export interface LeafCheck {
  readonly coerce: InputCoercion;
  readonly check: InputCheck;
}

/** What the arguments of a command have to be: of the right types first, and then such that they are no options. */
export function leafCheck(leaf: Leaf): LeafCheck {
  const own = ownInputOf(leaf);
  const compiled = compileSchema(inputSchema(leaf));
  if ("problem" in compiled) throw new TypeError(`\`${leaf.name}\`: ${compiled.problem.message}`);
  return {
    coerce: (input) => compiled.coerce(own(input).input),
    check: (input) => {
      const errors = compiled.check(input);
      if (errors.length > 0) return errors;
      const built = buildArgv(leaf, input);
      return built.ok ? errors : built.errors;
    },
  };
}
