import { diffLineKinds, type LineKind } from "../src/domain/diff-lines.ts";
import { visibleLine, visibleName, visibleText } from "../src/domain/visible.ts";
import { more } from "./buttons.ts";
import { type Child, el, saveFile } from "./dom.ts";

/** Of one value. A browser lays out more, but a few such values would hold it up for seconds. */
const VALUE_CHARS_MAX = 256 * 1024;
const LINE_CHARS_MAX = 48 * 1024;

interface Bounded {
  readonly shown: string;
  /** How many characters of the text are not shown. */
  readonly left: number;
}

/** The start of a text, bounded as it is drawn: an escaped character is up to ten. */
function bounded(text: string, max: number, visible: (text: string) => string): Bounded {
  let take = Math.min(text.length, max);
  let shown = visible(text.slice(0, take));
  while (shown.length > max) {
    take = Math.floor((take * max) / shown.length) - 1;
    shown = visible(text.slice(0, take));
  }
  return { shown, left: text.length - take };
}

/** Foreign text on one line. Its characters stand in the order in which they are. */
export const foreign = (text: string): HTMLElement => oneLine(text, visibleLine);

/** The same for a name or a path, in which spaces could hide. */
export const foreignName = (text: string): HTMLElement => oneLine(text, visibleName);

function oneLine(text: string, visible: (text: string) => string): HTMLElement {
  const { shown, left } = bounded(text, LINE_CHARS_MAX, visible);
  return el("span", { class: "foreign" }, shown, left > 0 && ` … (${left} more characters)`);
}

/** Foreign text over several lines. What is too long to be drawn can be downloaded. */
export const foreignBlock = (text: string, max: number = VALUE_CHARS_MAX): HTMLElement =>
  textBlock(text, max, visibleText);

function textBlock(text: string, max: number, visible: (text: string) => string): HTMLElement {
  const { shown, left } = bounded(text, max, visible);
  const block = el("pre", { class: "foreign" }, shown);
  return left === 0 ? block : el("div", {}, block, restOf(text, left));
}

const restOf = (text: string, left: number): HTMLElement =>
  el(
    "p",
    { class: "rest" },
    `${left} more characters are not shown. `,
    more("Download all of it", () => saveFile("value.txt", new TextEncoder().encode(text).buffer)),
  );

/** A value for a reader: a text as it is, anything else as JSON. What is one line may be a path, and shows all its blanks. */
export function valueBlock(value: unknown, max: number = VALUE_CHARS_MAX): HTMLElement {
  if (typeof value !== "string") return foreignBlock(JSON.stringify(value, null, 2) ?? "undefined", max);
  return textBlock(value, max, value.includes("\n") ? visibleText : visibleLine);
}

/** A sentence of the gate's: what it has between backticks is what somebody else has said. */
export const sentence = (text: string): readonly Child[] =>
  text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? el("code", { class: "foreign" }, visibleLine(part)) : foreign(part)));

/** More elements than this hold up a browser, and with it the reader of all other questions. */
const RUNS_MAX = 1000;

/** A diff, coloured by line; without colours if it changes its colour too often. */
export function diffBlock(text: string, max: number = VALUE_CHARS_MAX): HTMLElement {
  const { shown, left } = bounded(text.replace(/\n$/, ""), max, visibleText);
  const runs = runsOf(shown.split("\n"));
  const block = el(
    "pre",
    { class: "foreign diff" },
    ...(runs.length > RUNS_MAX
      ? [runs.map(({ lines }) => lines.join("")).join("")]
      : runs.map(({ kind, lines }) => el("span", { "data-line": kind }, lines.join("")))),
  );
  return left === 0 ? block : el("div", {}, block, restOf(text, left));
}

/** Lines of one kind that follow each other are one element. */
function runsOf(lines: readonly string[]): readonly { readonly kind: LineKind; readonly lines: readonly string[] }[] {
  const runs: { readonly kind: LineKind; readonly lines: string[] }[] = [];
  for (const [at, kind] of diffLineKinds(lines).entries()) {
    const last = runs.at(-1);
    const shown = `${visibleLine(lines[at] ?? "")}\n`;
    if (last?.kind === kind) last.lines.push(shown);
    else runs.push({ kind, lines: [shown] });
  }
  return runs;
}

export const chip = (text: string, kind: { readonly risk?: string; readonly state?: string } = {}): HTMLElement =>
  el(
    "span",
    {
      class: "chip",
      ...(kind.risk !== undefined && { "data-risk": kind.risk }),
      ...(kind.state !== undefined && { "data-state": kind.state }),
    },
    visibleLine(text),
  );

export const riskChip = (risk: string | null): HTMLElement | null =>
  risk === null ? null : chip(`${risk} risk`, { risk });

/** Names and values, those left out that are not there. */
export const facts = (rows: readonly (readonly [string, Child])[]): HTMLElement =>
  el(
    "dl",
    { class: "facts" },
    ...rows
      .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
      .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );

export const section = (title: string, ...children: readonly Child[]): HTMLElement =>
  el("section", {}, el("h3", {}, title), ...children);

/** A date and time of the reader's own zone. */
export function moment(iso: string | null): HTMLElement | null {
  if (iso === null || Number.isNaN(Date.parse(iso))) return null;
  const at = new Date(iso);
  const two = (part: number) => String(part).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return el("time", { datetime: iso, title: iso }, `${date} ${time}`);
}

const SECOND_MS = 1000;
const MINUTE_S = 60;

/** How long is left; `tick` keeps it true. */
export function countdown(deadlineMs: number): HTMLElement {
  const element = el("span", { class: "countdown" });
  element.dataset["deadline"] = String(deadlineMs);
  tell(element);
  return element;
}

/** Once a second: what is left of all deadlines on the screen. */
export function tick(): void {
  for (const element of document.querySelectorAll<HTMLElement>(".countdown")) tell(element);
}

function tell(element: HTMLElement): void {
  const left = Math.ceil((Number(element.dataset["deadline"]) - Date.now()) / SECOND_MS);
  const words =
    left <= 0 ? "time is over" : `${Math.floor(left / MINUTE_S)}:${String(left % MINUTE_S).padStart(2, "0")} left`;
  if (element.textContent !== words) element.textContent = words;
  element.dataset["soon"] = String(left <= MINUTE_S);
}
