import type { JsonObject } from "../domain/json.ts";
import type { Leaf } from "./leaf.ts";
import { parametersOf } from "./parameter-schema.ts";

/** From what a model gave to what the command takes, and the names of what is left out. */
export type OwnInput = (input: JsonObject) => { readonly input: JsonObject; readonly ignored: readonly string[] };

/**
 * Leaves out what the command does not know, which could never reach its words, and null where nothing has to be given:
 * OpenAI's strict mode writes every optional parameter, and null for those that it means to leave out.
 */
export function ownInputOf(leaf: Leaf): OwnInput {
  const isRequired = new Map(parametersOf(leaf).map((each) => [each.name, each.isRequired]));
  return (input) => {
    const ignored = Object.keys(input).filter((name) => !isRequired.has(name));
    const isAbsent = (name: string): boolean => input[name] === null && isRequired.get(name) === false;
    if (ignored.length === 0 && !Object.keys(input).some(isAbsent)) return { input, ignored };
    const kept = Object.entries(input).filter(([name]) => isRequired.has(name) && !isAbsent(name));
    return { input: Object.freeze(Object.fromEntries(kept)), ignored };
  };
}
