import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

/** Turns arguments that fit the offered schema back into those that the tool's own schema speaks of. Null = they are. */
export type Restore = ((value: JsonValue) => JsonValue) | null;

/** For an object: members that are null and optional were absent; the others may have something to restore inside. */
export function restoreMembers(optional: ReadonlySet<string>, inside: ReadonlyMap<string, Restore>): Restore {
  if (optional.size === 0 && inside.values().every((each) => each === null)) return null;
  const isAbsent = (name: string, member: JsonValue) => member === null && optional.has(name);
  return (value) => (isJsonObject(value) ? changedMembers(value, isAbsent, inside) : value);
}

const changedMembers = (
  members: JsonObject,
  isAbsent: (name: string, member: JsonValue) => boolean,
  inside: ReadonlyMap<string, Restore>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([name, member]) => !isAbsent(name, member))
      .map(([name, member]) => [name, inside.get(name)?.(member) ?? member]),
  );

export function restoreItems(item: Restore): Restore {
  if (item === null) return null;
  return (value) => (Array.isArray(value) ? (value as readonly JsonValue[]).map(item) : value);
}

/**
 * For an object whose members were offered under other names. One that also has a member of the tool's own name keeps
 * both as they are, for the gate to refuse: neither value may get lost.
 */
export function restoreNames(own: ReadonlyMap<string, string>, inside: ReadonlyMap<string, Restore>): Restore {
  if (own.size === 0 && inside.values().every((each) => each === null)) return null;
  return (value) => {
    if (!isJsonObject(value)) return value;
    const nameOf = (offered: string): string => {
      const name = own.get(offered) ?? offered;
      return name !== offered && Object.hasOwn(value, name) ? offered : name;
    };
    return Object.fromEntries(
      Object.entries(value).map(([offered, member]) => {
        const name = nameOf(offered);
        return [name, inside.get(name)?.(member) ?? member];
      }),
    );
  };
}

/** What was done last is undone first. */
export const undone = (last: Restore, first: Restore): Restore =>
  last === null || first === null ? (last ?? first) : (value) => first(last(value));
