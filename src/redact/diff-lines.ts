import { PRIVATE_KEY } from "./context-rules.ts";
import { markerOf } from "./marker.ts";

const BEGIN = "-----BEGIN ";
const FRAME = "-----";

/**
 * A diff without the lines of private keys that stand in one of its texts. It shows a few lines around a change, and they
 * no longer say of what they are: what is a secret only with the lines before it has to be looked for in the texts.
 */
export function withoutKeyLines(diff: string, texts: readonly unknown[]): string {
  const keys = new Set(texts.flatMap((text) => (typeof text === "string" ? keyLines(text) : [])));
  if (keys.size === 0) return diff;
  const marker = markerOf(PRIVATE_KEY.id);
  const lines = diff.split("\n");
  return lines.map((line) => (keys.has(line.slice(1)) ? `${line.slice(0, 1)}${marker}` : line)).join("\n");
}

/** No line is looked through more than a few times, however many keys stand in it. */
function keyLines(text: string): readonly string[] {
  const lines: string[] = [];
  const { expression } = PRIVATE_KEY;
  let newline = -1;
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    expression.lastIndex = at;
    if (!expression.test(text)) continue;
    if (newline < at) newline = lineEnd(text, at);
    // The first line begins before the key, and says itself what it is.
    if (newline >= expression.lastIndex) continue;
    const whole = text.slice(newline + 1, lineEnd(text, expression.lastIndex)).split("\n");
    for (const line of whole) if (line.trim() !== "" && !line.includes(FRAME)) lines.push(line);
  }
  return lines;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
