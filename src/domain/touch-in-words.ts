import type { Operand } from "./plan.ts";
import { shownPath } from "./shown-path.ts";
import { type ExecTouch, isFileTouch, NOT_KNOWN_HARMLESS, type Touch, type Word } from "./touch.ts";
import { quotedName, visibleLine, visibleName } from "./visible.ts";

/** A touch as refusals, questions and explanations name it; with the plan's operands, also whether a file is new. */
export function touchInWords(touch: Touch, workspace: string, operands: readonly Operand[] = []): string {
  if (isFileTouch(touch)) {
    const path = quotedName(shownPath(workspace, touch.path));
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
      return `connect ${quotedName(`${touch.host}:${touch.port}`)}`;
    case "git":
      return `git ${quotedName(touch.operation)}`;
    case "model":
      return `model ${quotedName(`${touch.provider}/${touch.model}`)}${upTo(touch.tokensMax)}`;
    case "tool":
      return `tool ${quotedName(touch.name)}`;
    case "unknown":
      return `something that can't be read before it runs (${visibleLine(touch.reason)})`;
    default:
      return touch satisfies never;
  }
}

/** Named in words, a model has no limit. */
const upTo = (tokensMax: number): string => (tokensMax > 0 ? ` (up to ${tokensMax} tokens)` : "");

/** Of a longer command a reader finds no word by its place alone. */
const WORDS_SEEN_AT_ONCE = 20;

/** The command word by word, the commands that it was found behind, and the words that make it more than it seems. */
function commandInWords({ argv, env = [], via = [] }: ExecTouch): string {
  const words = [...env, ...argv];
  const isLong = words.length > WORDS_SEEN_AT_ONCE;
  const behind = via.map((carrier) => ` behind ${quotedCommand(carrier)}`).slice(0, 1);
  const hazards = words.flatMap(({ text, hazard }, at) => {
    const place = isLong ? ` (word ${at + 1} of ${words.length})` : "";
    return hazard ? [`${quotedName(text)}${place} ${hazard}`] : [];
  });
  const unknown = words.some(({ known }) => !known) ? ["; parts of it are known only at run time"] : [];
  const command = `${quotedCommand(words)}${behind.join("")}`;
  // Before a long command: behind it, they would be further from the verb than anybody reads.
  if (isLong && hazards.length > 0) return `exec, where ${hazards.join(", ")}: ${[command, ...unknown].join("")}`;
  return `exec ${[command, ...hazards.map((hazard) => `; ${hazard}`), ...unknown].join("")}`;
}

const quotedCommand = (words: readonly Word[]): string => `\`${shownWords(words).replaceAll("`", "\\u{60}")}\``;

/** In quotes where a reader could not tell where one word ends. A word that is not known is shown as it is written. */
const shownWords = (words: readonly Word[]): string =>
  words
    .map(({ text, known }) => {
      const quoted = known && !/^[\w@%+=:,./*?{}[\]~^!#-]+$/.test(text);
      // Code of several lines is indented; elsewhere, a run of spaces inside a word is one that nobody sees.
      const shown = text.includes("\n") ? visibleLine(text) : visibleName(text);
      return quoted ? `'${shown.replaceAll("'", `'\\''`)}'` : shown;
    })
    .join(" ");

/** Which word of a command no wildcard covers, and what a rule that covers it looks like. Null = there is none. */
export function uncoveredWord(touch: Touch): string | null {
  if (touch.kind !== "exec") return null;
  const word = touch.argv.find(({ hazard }) => hazard !== undefined);
  if (word === undefined) return null;
  const any = word.hazard === NOT_KNOWN_HARMLESS ? ", or gives the rule `options: any`" : "";
  return `no wildcard covers ${quotedName(word.text)}: only a pattern that has the word itself does${any}`;
}

/** What a reader takes in of one row of a list. */
const ROW_CHARS_MAX = 2000;
const TOUCH_CHARS_MAX = 500;

/** Some touches in one line of bounded length; `touches` come in the order of their importance. */
export function touchesInLine(touches: readonly Touch[], workspace: string, operands: readonly Operand[] = []): string {
  const shown: string[] = [];
  let chars = 0;
  for (const touch of touches) {
    const words = cutLine(touchInWords(touch, workspace, operands), TOUCH_CHARS_MAX);
    chars += words.length;
    if (chars > ROW_CHARS_MAX) break;
    shown.push(words);
  }
  const left = touches.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}

/** The start of a line and how much of it is left out. A quotation that is cut is closed. */
export function cutLine(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
  const isOpen = start.split("`").length % 2 === 0;
  return `${start}${isOpen ? "`" : ""} … (${text.length - start.length} more characters)`;
}

/** The number of touches and of the hazardous ones among them. */
export function touchCountInWords(touches: readonly { readonly hazard?: string }[]): string {
  const hazardous = touches.filter(({ hazard }) => hazard !== undefined).length;
  const all = `${touches.length} ${touches.length === 1 ? "touch" : "touches"}`;
  return hazardous === 0 ? all : `${all}, ${hazardous} hazardous`;
}
