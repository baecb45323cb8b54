import type { Tool } from "../../domain/call.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { InputError } from "../../domain/outcome.ts";

/** The arguments that the schema is content with: the others are missing, and so are single items of a list. */
export type Sound<Input> = {
  readonly [Name in keyof Input]?: Input[Name] extends readonly (infer Item)[]
    ? readonly (Item | undefined)[]
    : Input[Name];
};

/**
 * Adds to a tool's schema what a schema can't say: which arguments go together. All errors at once: it is asked about
 * what the schema has let through also where that is not everything. `isSound`: whether an argument that is missing was
 * not given, and not only wrong.
 */
export const withCheck = <Input extends object>(
  tool: Tool<Input>,
  more: (input: Sound<Input>, isSound: (name: keyof Input & string) => boolean) => readonly InputError[],
): Tool<Input> => ({
  ...tool,
  check: (input) => {
    const errors = tool.check(input);
    // INVARIANT (input): the schema has just let it through.
    if (errors.length === 0) return more(input as unknown as Sound<Input>, () => true);
    const bad = new Map<string, Set<number | null>>();
    for (const { field } of errors) {
      const [, name = "", index] = /^([^.[]*)(?:\[(\d+)\])?/.exec(field) ?? [];
      bad.set(name, (bad.get(name) ?? new Set()).add(index === undefined ? null : Number(index)));
    }
    return [...errors, ...more(soundPart(input, bad) as unknown as Sound<Input>, (name) => !bad.has(name))];
  },
});

/** `bad`: which members are wrong, null = the whole of it. */
const soundPart = (input: JsonObject, bad: ReadonlyMap<string, ReadonlySet<number | null>>) =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]): [string, JsonValue | (JsonValue | undefined)[]][] => {
      const wrong = bad.get(name);
      if (wrong === undefined) return [[name, value]];
      if (wrong.has(null) || !Array.isArray(value)) return [];
      return [[name, value.map((item: JsonValue, index) => (wrong.has(index) ? undefined : item))]];
    }),
  );

export const inputError = (field: string, rule: string, message: string): InputError => ({ field, rule, message });
