import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { quoted } from "../domain/visible.ts";

export type MetadataPath = readonly (string | number)[];

/** What is wrong, or doubtful, about metadata. What only is doubtful does not keep it from being used. */
export interface MetadataProblem {
  readonly level: "error" | "warning";
  readonly path: MetadataPath;
  readonly message: string;
}

export type Report = (level: MetadataProblem["level"], path: MetadataPath, message: string) => void;

/** Looks at one value and tells what it should be. */
export type Shape = (value: JsonValue, path: MetadataPath, report: Report) => void;

const kind =
  (isIt: (value: JsonValue) => boolean, says: string): Shape =>
  (value, path, report) => {
    if (!isIt(value)) report("error", path, `has to be ${says}, and is ${nameOf(value)}`);
  };

function nameOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : quoted(JSON.stringify(value), { max: 40 });
}

export const text = kind((value) => typeof value === "string", "a text");
export const flag = kind((value) => typeof value === "boolean", "true or false");
export const count = kind((value) => Number.isInteger(value) && (value as number) >= 0, "a whole number from 0 up");
export const anything: Shape = () => {};

export const textLike = (pattern: RegExp, says: string): Shape =>
  kind((value) => typeof value === "string" && pattern.test(value), says);

export const oneOf = (words: readonly string[]): Shape =>
  kind((value) => words.includes(value as string), `one of ${words.join(", ")}`);

export const listOf =
  (item: Shape, least = 0): Shape =>
  (value, path, report) => {
    if (!Array.isArray(value)) return report("error", path, `has to be a list, and is ${nameOf(value)}`);
    if (value.length < least) report("error", path, `has to have at least ${least} item`);
    for (const [index, each] of (value as readonly JsonValue[]).entries()) item(each, [...path, index], report);
  };

/** An object whose members have names of their own. */
export const recordOf =
  (member: (name: string) => Shape): Shape =>
  (value, path, report) => {
    if (!isJsonObject(value)) return report("error", path, `has to be an object, and is ${nameOf(value)}`);
    for (const [name, each] of Object.entries(value)) member(name)(each, [...path, name], report);
  };

/** Members that are not named here are left alone: the standard lets everybody add some. */
export const object =
  (members: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape =>
  (value, path, report) => {
    if (!isJsonObject(value)) return report("error", path, `has to be an object, and is ${nameOf(value)}`);
    for (const name of required) if (!Object.hasOwn(value, name)) report("error", path, `lacks \`${name}\``);
    for (const [name, shape] of Object.entries(members))
      if (Object.hasOwn(value, name)) shape((value as JsonObject)[name] as JsonValue, [...path, name], report);
  };
