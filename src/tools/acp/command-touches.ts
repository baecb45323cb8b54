import { isAbsolute } from "node:path";
import { asScript } from "../../domain/as-script.ts";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import type { Touch } from "../../domain/touch.ts";
import { touchesOf } from "../../shell/command-touches.ts";
import { readScript } from "../../shell/read-script.ts";
import { commandNames } from "../builtin/command-names.ts";
import type { NamedParts } from "./tool-call-parts.ts";
import type { ToolCallPlace } from "./tool-call-place.ts";

/** What the commands of an agent's own call touch, read as those of `run_command` are. Nothing of ours holds them in. */
export async function commandTouches(
  { commands, args, env, folders }: NamedParts,
  cwd: string,
  place: ToolCallPlace,
): Promise<readonly Touch[]> {
  if (commands.length === 0) return [];
  const environment = environmentFrom(env);
  const folder = await folderFrom(folders, cwd, place);
  const texts = commands.map((command) => scriptFrom(command, args));
  if (environment === null || folder === null) return [UNREADABLE];
  const all = await Promise.all(
    texts.map((text) => (text === null ? [UNREADABLE] : read(text, folder, environment, place))),
  );
  return all.flat();
}

async function read(
  text: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
  { files, programs }: ToolCallPlace,
): Promise<readonly Touch[]> {
  const reading = readScript(text, { environment });
  if (reading.tooComplex !== null)
    return [{ kind: "unknown", reason: `the command can't be judged as a whole: ${reading.tooComplex}` }];
  const found = await commandNames(reading, { cwd, files, programs });
  // It runs where the agent is, so also what it is told to read of the workspace is said.
  return touchesOf(reading, { ...found, isInWorkspace: () => false });
}

/** A text is what a shell is given; a list, or a text with arguments beside it, is words that none reads. */
function scriptFrom(command: JsonValue, args: JsonValue | undefined): string | null {
  const isLine = typeof command === "string" && (args === undefined || args === null || isEmpty(args));
  if (isLine) return command === "" || command.includes("\0") ? null : command;
  const words = [...(wordsFrom(command) ?? [null]), ...(wordsFrom(args) ?? [null])];
  const [first] = words;
  return words.includes(null) || first === undefined || first === "" ? null : asScript(words as readonly string[]);
}

const isEmpty = (value: JsonValue): boolean => Array.isArray(value) && value.length === 0;

function wordsFrom(value: JsonValue | undefined): readonly string[] | null {
  if (value === undefined || value === null) return [];
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  return words.every((word) => typeof word === "string" && !word.includes("\0")) ? (words as readonly string[]) : null;
}

/** As agents write it: an object, or a list of `{ name, value }`. */
function environmentFrom(env: JsonValue | undefined): Readonly<Record<string, string>> | null {
  if (env === undefined || env === null) return {};
  const given: readonly unknown[] = Array.isArray(env)
    ? env.map((one) => (isJsonObject(one) ? [one["name"], one["value"]] : [null, null]))
    : isJsonObject(env)
      ? Object.entries(env)
      : [[null, null]];
  const pairs = given as readonly (readonly [unknown, unknown])[];
  return pairs.every((pair) => pair.every((part) => typeof part === "string"))
    ? Object.fromEntries(pairs as readonly (readonly [string, string])[])
    : null;
}

async function folderFrom(
  folders: readonly JsonValue[],
  cwd: string,
  { files }: ToolCallPlace,
): Promise<string | null> {
  const [named = cwd, ...others] = folders;
  if (others.length > 0 || typeof named !== "string" || named === "") return null;
  const located = await files.locate(isAbsolute(named) ? named : `${cwd}/${named}`);
  return located.ok && located.value.kind === "directory" ? located.value.path : null;
}

const UNREADABLE: Touch = { kind: "unknown", reason: "a command that it would run can't be read" };
