import type { Span } from "./span.ts";

/** The bytes of `…`, one character each. Messages of ours put it where they cut somebody's text short. */
const CUT = "\u00e2\u0080\u00a6";
/** As of a whole value: fewer bytes are chance. */
const PART_LENGTH_MIN = 6;

export interface CutPattern {
  readonly rule: string;
  /** One character per byte. */
  readonly text: string;
}

/** What is left of a value before or behind a `…`. The text is one character per byte, so places are byte places. */
export function cutSpans(text: string, patterns: readonly CutPattern[]): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(CUT); at !== -1; at = text.indexOf(CUT, at + CUT.length)) {
    const behind = at + CUT.length;
    for (const { rule, text: value } of patterns) {
      const head = headLength(text, at, value);
      const tail = tailLength(text, behind, value);
      if (head > 0) spans.push({ start: at - head, end: at, rule });
      if (tail > 0) spans.push({ start: behind, end: behind + tail, rule });
    }
  }
  return spans;
}

/** How much of the start of a value stands right before a place. */
function headLength(text: string, end: number, value: string): number {
  for (let length = Math.min(value.length - 1, end); length >= PART_LENGTH_MIN; length--) {
    if (text.startsWith(value.slice(0, length), end - length)) return length;
  }
  return 0;
}

/** How much of the end of a value stands right behind a place. */
function tailLength(text: string, start: number, value: string): number {
  for (let length = Math.min(value.length - 1, text.length - start); length >= PART_LENGTH_MIN; length--) {
    if (text.startsWith(value.slice(-length), start)) return length;
  }
  return 0;
}
