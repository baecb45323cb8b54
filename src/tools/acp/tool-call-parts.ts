import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

/** Where agents write what of a tool call's input, by the names that they have for it. */
const PATHS: ReadonlySet<string> = new Set([
  ...["path", "paths", "file", "files", "file_path", "filePath", "filepath", "filename", "fileName", "abs_path"],
  ...["absolute_path", "absolutePath", "notebook_path", "target_file", "dir_path", "directory", "dir", "folder"],
  ...["source", "destination", "from", "to", "old_path", "new_path", "oldPath", "newPath", "src", "dst", "uri"],
]);
const URLS: ReadonlySet<string> = new Set(["url", "urls"]);
const COMMANDS: ReadonlySet<string> = new Set(["command", "cmd", "commands", "script"]);
const FOLDERS: ReadonlySet<string> = new Set(["cwd", "workdir", "working_directory", "workingDirectory"]);

/** What a tool call names, as it is written: anything may be no text. */
export interface NamedParts {
  readonly paths: readonly JsonValue[];
  readonly urls: readonly JsonValue[];
  readonly commands: readonly JsonValue[];
  readonly folders: readonly JsonValue[];
  readonly args: JsonValue | undefined;
  readonly env: JsonValue | undefined;
  /** False: there is an input, and it names nothing. */
  readonly isReadable: boolean;
}

const WEB = /^https?:\/\//i;

export function partsIn({ rawInput }: JsonObject): NamedParts {
  const input = isJsonObject(rawInput) ? rawInput : {};
  const named = (names: ReadonlySet<string>): readonly JsonValue[] =>
    Object.entries(input).flatMap(([name, value]) => (names.has(name) && value !== null ? [value] : []));
  const isWeb = (value: JsonValue) => typeof value === "string" && WEB.test(value);
  const places = named(PATHS).flatMap((value) => (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]));
  const urls = named(URLS).flatMap((value) => (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]));
  return {
    paths: places.filter((value) => !isWeb(value)),
    urls: [...urls, ...places.filter(isWeb)],
    commands: named(COMMANDS),
    folders: named(FOLDERS),
    args: input["args"] ?? input["arguments"],
    env: input["env"],
    isReadable: rawInput === undefined || rawInput === null || isJsonObject(rawInput),
  };
}

/** The paths of its locations. */
export const locationsIn = ({ locations }: JsonObject): readonly JsonValue[] =>
  listOf(locations).map((one) => (isJsonObject(one) ? (one["path"] ?? null) : null));

export const diffsIn = ({ content }: JsonObject): readonly JsonValue[] =>
  listOf(content).filter((one) => isJsonObject(one) && one["type"] === "diff");

/** What is there and is no list counts as one thing that can't be read. */
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [null];
};
