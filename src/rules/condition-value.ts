import type { JsonValue } from "../domain/json.ts";

/** How much a condition may still be shown. */
export interface Room {
  values: number;
  characters: number;
}

const ITEMS_MAX = 500;
const DEPTH_MAX = 20;

/** Stands where something is too large to be shown. The language knows no such type, so whoever asks about it errs. */
class TooLarge {}
const TOO_LARGE = new TooLarge();

/**
 * JSON as conditions see it. Objects become maps, since a member called `constructor` would otherwise pass for a type;
 * whole numbers become integers. What is too large is not left out: then `has` would say that it is not there.
 */
export function conditionValue(value: JsonValue, room: Room, depth = 0): unknown {
  room.values -= 1;
  if (room.values < 0 || depth > DEPTH_MAX) return TOO_LARGE;
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case "string":
      if (value.length > room.characters) return TOO_LARGE;
      room.characters -= value.length;
      return value;
    case "object":
      if (value === null) return null;
      return Array.isArray(value) ? listValue(value, room, depth) : mapValue(Object.entries(value), room, depth);
    default:
      return value;
  }
}

const listValue = (items: readonly JsonValue[], room: Room, depth: number): unknown =>
  items.length > ITEMS_MAX ? TOO_LARGE : items.map((item) => conditionValue(item, room, depth + 1));

const mapValue = (members: readonly (readonly [string, JsonValue])[], room: Room, depth: number): unknown =>
  members.length > ITEMS_MAX
    ? TOO_LARGE
    : new Map(members.map(([key, member]) => [key, conditionValue(member, room, depth + 1)]));
