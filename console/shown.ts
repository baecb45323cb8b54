import { visibleLine } from "../src/domain/visible.ts";
import { type Child, el } from "./dom.ts";

/** What somebody else has said, on one line. Its characters stand in the order in which they are. */
export const foreign = (text: string): HTMLElement => el("span", { class: "foreign" }, visibleLine(text));

/** The same over several lines, whole, however long. */
export const foreignBlock = (text: string): HTMLElement => el("pre", { class: "foreign" }, text);

/** A value as somebody reads it: a text as it is, all else as JSON. */
export const valueBlock = (value: unknown): HTMLElement =>
  foreignBlock(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "undefined"));

/** A sentence of the gate's: what it has between backticks is what somebody else has said. */
export const sentence = (text: string): readonly Child[] =>
  text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? el("code", { class: "foreign" }, visibleLine(part)) : foreign(part)));

const LINES = { "+": "added", "-": "removed", "@": "place" } as const;

/** More than so many elements hold up a browser, and who looks at it is kept from all other questions. */
const RUNS_MAX = 1000;

/** A diff, coloured by line; one that changes its colour too often, in none. */
export function diffBlock(text: string): HTMLElement {
  const runs = runsOf(text.replace(/\n$/, "").split("\n"));
  return el(
    "pre",
    { class: "foreign diff" },
    ...(runs.length > RUNS_MAX
      ? [runs.map(({ lines }) => lines.join("")).join("")]
      : runs.map(({ kind, lines }) => el("span", { "data-line": kind }, lines.join("")))),
  );
}

type LineKind = ReturnType<typeof lineKind>;

/** Lines of one kind that follow each other are one element. */
function runsOf(lines: readonly string[]): readonly { readonly kind: LineKind; readonly lines: readonly string[] }[] {
  const runs: { readonly kind: LineKind; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const kind = lineKind(line);
    const last = runs.at(-1);
    const shown = `${visibleLine(line)}\n`;
    if (last?.kind === kind) last.lines.push(shown);
    else runs.push({ kind, lines: [shown] });
  }
  return runs;
}

const lineKind = (line: string) => LINES[line[0] as keyof typeof LINES] ?? "same";

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
