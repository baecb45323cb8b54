import type { Command } from "unbash";
import type { Word } from "../domain/touch.ts";
import { interpret } from "./interpret.ts";
import type { PlainCommand } from "./plain-line.ts";
import type { Reach } from "./reach-of.ts";
import { readAssignment } from "./read-assignment.ts";
import { readRedirection } from "./read-redirection.ts";
import { wordOf } from "./read-word.ts";
import type { ScriptReader, Stdin } from "./script-reader.ts";
import { staticText } from "./static-text.ts";

const NONE: readonly never[] = [];

/** Builtins whose arguments may be assignments, and where those end up. */
const DECLARES: ReadonlyMap<string, Reach> = new Map([
  ["declare", "shell"],
  ["typeset", "shell"],
  ["local", "shell"],
  ["readonly", "shell"],
  ["export", "exported"],
]);

export function readSimpleCommand(reader: ScriptReader, command: Command, stdin: Stdin): void {
  const { name, prefix, suffix } = command;
  reader.isUnreachable = false;
  let fed = stdin;
  let env: Word[] | null = null;
  for (const part of prefix) {
    if (part.type === "Assignment") {
      // `IFS= read -r line` concerns that one `read`.
      if (part.name === "IFS" && name?.text === "read") readAssignmentValue(reader, part);
      else {
        const word = readAssignment(reader, part, name === undefined ? "shell" : "command");
        if (word !== null) env = [...(env ?? []), word];
      }
    } else fed = readRedirection(reader, part) ?? fed;
  }
  if (name === undefined) {
    for (const part of suffix) if (isRedirection(part)) readRedirection(reader, part);
    return;
  }
  const argv: Word[] = [wordOf(reader, name)];
  let { end } = name;
  for (let at = 0; at < suffix.length; at++) {
    const part = suffix[at] as (typeof suffix)[number];
    // The parser ends a word before `<(`, and bash does not.
    if (part.pos === end && part.type === "Word") reader.say("a word runs into a process substitution");
    // `{a["$i"]}> b`: to the parser a word, and to bash the place of a descriptor's number.
    else if (part.pos === end && isRedirection(part) && /^\{.*\]\}$/s.test((argv.at(-1) as Word).text))
      reader.say("it computes with text that may hold commands");
    end = part.end;
    if (part.type === "Word") argv.push(wordOf(reader, part));
    else if (part.type === "Assignment") argv.push(readArgument(reader, part, name.text));
    else fed = readRedirection(reader, part) ?? fed;
  }
  if (reader.isUnreachable) return;
  interpret(reader, { argv, env: env ?? NONE, external: false, via: NONE, stdin: fed, depth: 0 });
}

export function readPlainCommand(reader: ScriptReader, { argv }: PlainCommand, stdin: Stdin): void {
  reader.isUnreachable = false;
  interpret(reader, { argv, env: NONE, external: false, via: NONE, stdin, depth: 0 });
}

const isRedirection = <Part extends { readonly type: string }>(
  part: Part,
): part is Exclude<Part, { readonly type: "Word" | "Assignment" }> =>
  part.type !== "Word" && part.type !== "Assignment";

type AssignmentNode = Parameters<typeof readAssignment>[1];

function readAssignmentValue(reader: ScriptReader, { value }: AssignmentNode): void {
  if (value.type === "Word") wordOf(reader, value);
  else for (const element of value.elements) wordOf(reader, element);
}

/** `declare x=$(y)`: an argument, and an assignment as well. */
function readArgument(reader: ScriptReader, assignment: AssignmentNode, builtin: string): Word {
  const word = readAssignment(reader, assignment, DECLARES.get(builtin) ?? "shell");
  if (word !== null) return word;
  const { name, value, text } = assignment;
  const isPlain = value.type === "Word" && assignment.index === undefined && assignment.append !== true;
  const decoded = isPlain ? staticText(value.text) : null;
  return decoded === null ? { text, known: false } : { text: `${name}=${decoded}`, known: true };
}
