import type { Operand } from "./plan.ts";
import { shownPath } from "./shown-path.ts";
import { type ExecTouch, isFileTouch, NOT_KNOWN_HARMLESS, type Touch, type Word } from "./touch.ts";
import { quoted, visibleLine } from "./visible.ts";

/** What is approved is shown to its last character. */
const WHOLE = { max: Number.POSITIVE_INFINITY };

/** A touch as refusals, questions and explanations name it; with the plan's operands, also whether a file is new. */
export function touchInWords(touch: Touch, workspace: string, operands: readonly Operand[] = []): string {
  if (isFileTouch(touch)) {
    const path = quoted(shownPath(workspace, touch.path), WHOLE);
    const operand = touch.kind === "write" ? operands.find((one) => one.path === touch.path) : undefined;
    if (touch.own) return `${touch.kind} ${path} (stays in the sandbox)`;
    if (touch.folder) return `${touch.kind} ${path} (a new folder)`;
    const how = operand === undefined ? "" : operand.before === null ? " (a new file)" : " (which is there already)";
    return `${touch.kind} ${path}${touch.tree ? " and everything below it" : ""}${how}`;
  }
  switch (touch.kind) {
    case "exec":
      return commandInWords(touch);
    case "connect":
      return `connect ${quoted(`${touch.host}:${touch.port}`, WHOLE)}`;
    case "git":
      return `git ${quoted(touch.operation, WHOLE)}`;
    case "model":
      return `model ${quoted(`${touch.provider}/${touch.model}`, WHOLE)}${upTo(touch.tokensMax)}`;
    case "tool":
      return `tool ${quoted(touch.name, WHOLE)}`;
    case "unknown":
      return `something that can't be read before it runs (${visibleLine(touch.reason)})`;
    default:
      return touch satisfies never;
  }
}

/** Named in words, a model has no limit. */
const upTo = (tokensMax: number): string => (tokensMax > 0 ? ` (up to ${tokensMax} tokens)` : "");

/** The command word by word, what it was found behind, and which of its words make it more than it seems. */
function commandInWords({ argv, env = [], via = [] }: ExecTouch): string {
  const words = [...env, ...argv];
  const behind = via.map((carrier) => ` behind ${quoted(shownWords(carrier), WHOLE)}`).slice(0, 1);
  const hazards = words.flatMap(({ text, hazard }) => (hazard ? [`; ${quoted(text, WHOLE)} ${hazard}`] : []));
  const unknown = words.some(({ known }) => !known) ? ["; parts of it are known only at run time"] : [];
  return `exec ${quoted(shownWords(words), WHOLE)}${[...behind, ...hazards, ...unknown].join("")}`;
}

/** In quotes where a reader could not tell where one word ends. What is not known is shown as it is written. */
const shownWords = (words: readonly Word[]): string =>
  words
    .map(({ text, known }) =>
      known && !/^[\w@%+=:,./*?{}[\]~^!#-]+$/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text,
    )
    .join(" ");

/** Which word of a command no wildcard covers, and what a rule that covers it looks like. Null = there is none. */
export function uncoveredWord(touch: Touch): string | null {
  if (touch.kind !== "exec") return null;
  const word = touch.argv.find(({ hazard }) => hazard !== undefined);
  if (word === undefined) return null;
  const any = word.hazard === NOT_KNOWN_HARMLESS ? ", or gives the rule `options: any`" : "";
  return `no wildcard covers ${quoted(word.text)}: only a pattern that has the word itself does${any}`;
}
