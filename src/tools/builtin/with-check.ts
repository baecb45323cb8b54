import type { Tool } from "../../domain/call.ts";
import type { InputError } from "../../domain/outcome.ts";

/** Adds to a tool's schema what a schema can't say: which arguments go together. Asked only once the schema is content. */
export const withCheck = <Input extends object>(
  tool: Tool<Input>,
  more: (input: Input) => readonly InputError[],
): Tool<Input> => ({
  ...tool,
  check: (input) => {
    const errors = tool.check(input);
    // INVARIANT (input): the schema has just let it through.
    return errors.length > 0 ? errors : more(input as unknown as Input);
  },
});

export const inputError = (field: string, rule: string, message: string): InputError => ({ field, rule, message });
