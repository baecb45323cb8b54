import type { JsonObject } from "../../../domain/json.ts";
import { visibleLine } from "../../../domain/visible.ts";
import { REACH_BYTES } from "../../../redact/cut-part.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { type LineLook, mayBeOfKey } from "./key-lines.ts";
import type { Foreign, RgEvent } from "./rg-event.ts";

export interface FindingsOptions {
  readonly matchesMax: number;
  readonly bytesMax: number;
  /** The path as people see it. */
  readonly shown: (path: string) => string;
  readonly redactor: Pick<Redactor, "redactCut" | "redactBytes">;
  /** How to look at lines of a file with what stands around them. */
  readonly lookInto: (path: string) => Promise<LineLook>;
}

type LineEvent = Extract<RgEvent, { kind: "line" }>;
type CutReason = "matches" | "bytes" | "time";

interface FoundLine {
  readonly event: LineEvent;
  readonly rendered: string;
  readonly number: number | null;
  readonly structured: JsonObject;
}

const LINE_CHARS_MAX = 1000;
/** How much of a long line is shown before its match. */
const CHARS_BEFORE = 200;

const REASONS: Readonly<Record<CutReason, (matches: number) => string>> = {
  matches: (matches) => `there are more than these ${matches} matches`,
  bytes: (matches) => `there is more than fits behind these ${matches} matches`,
  time: (matches) => `the time was up after these ${matches} matches`,
};

/** What is going to be answered. */
export class Findings {
  readonly #options: FindingsOptions;
  /** By the bytes of the file's path, so that files come in their order and not in that in which they were read. */
  readonly #files = new Map<string, FoundLine[]>();
  #matches = 0;
  #bytes = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  /** Says why this line can't be added any more, if so. */
  add(event: LineEvent): "added" | "matches" | "bytes" {
    if (event.isMatch && this.#matches === this.#options.matchesMax) return "matches";
    const line = this.#lineFrom(event);
    const bytes = Buffer.byteLength(line.rendered) + 1;
    if (this.#bytes + bytes > this.#options.bytesMax) return "bytes";
    this.#bytes += bytes;
    if (event.isMatch) this.#matches++;
    const key = keyOf(event.path);
    const lines = this.#files.get(key);
    if (lines === undefined) this.#files.set(key, [line]);
    else lines.push(line);
    return "added";
  }

  /** Takes out what is a secret only together with the lines around it, which were perhaps not found. */
  async settle(): Promise<void> {
    for (const lines of this.#files.values()) {
      const [first] = lines.filter(isDoubtful);
      if (first === undefined) continue;
      const look = await this.#options.lookInto(first.event.path.text);
      for (const [i, line] of lines.entries()) {
        if (!isDoubtful(line)) continue;
        lines[i] = this.#lookedAt(line, look);
        if (lines[i] !== line) await new Promise((resolve) => setImmediate(resolve)); // a close look takes its time
      }
    }
  }

  #lookedAt(line: FoundLine, look: LineLook): FoundLine {
    const { text } = line.event;
    if (text === null) return line;
    const shown = look({ number: line.number ?? 0, text: text.text });
    return shown === text.text ? line : this.#lineFrom({ ...line.event, text: { text: shown }, matchAt: 0 });
  }

  /** `notes` are for whoever reads the text. */
  result(cut: CutReason | null, withContext: boolean, notes: readonly string[]) {
    const files = [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines);
    const text = files.flatMap((lines) => (withContext ? inGroups(lines) : lines.map(({ rendered }) => rendered)));
    if (this.#matches === 0 && cut === null) text.push("[no match]");
    if (cut !== null)
      text.push(`[cut: ${REASONS[cut](this.#matches)}; narrow it down by \`path\` or \`includePattern\`]`);
    const lines = files.flat().map(({ structured }) => structured);
    return {
      kind: "completed",
      content: [{ type: "text", text: [...text, ...notes].join("\n") }],
      structured: { lines, matches: this.#matches, truncated: cut !== null, ...(cut !== null && { cut }) },
    } as const;
  }

  /** INVARIANT (redact first): in Base64 nobody behind us sees more than the values that they know. */
  #redacted(base64: string): string {
    const { bytes } = this.#options.redactor.redactBytes(Buffer.from(base64, "base64"));
    return Buffer.from(bytes).toString("base64");
  }

  #lineFrom(event: LineEvent): FoundLine {
    const { path, line, text, isMatch, matchAt } = event;
    const name = this.#options.shown(path.text);
    const short = text === null ? { text: "…", isCut: true } : shortened(text.text, matchAt, this.#options.redactor);
    const [mark, number] = [isMatch ? ":" : "-", line ?? "?"];
    return {
      event,
      number: line,
      rendered: `${visibleLine(name)}${mark}${number}${mark} ${short.text}`,
      structured: {
        path: name,
        ...(path.base64 !== undefined && { pathBytes: shownBytes(path.base64, path.text, name) }),
        line,
        kind: isMatch ? "match" : "context",
        text: short.text,
        ...(short.isCut && { cut: true }),
        ...(text?.base64 !== undefined && !short.isCut && { bytes: this.#redacted(text.base64) }),
      },
    };
  }
}

const isDoubtful = ({ event: { text } }: FoundLine): boolean => text !== null && mayBeOfKey(text.text);

/** The bytes of a path as people see it. What is left out of it, the workspace, is text: as many bytes as it has. */
function shownBytes(base64: string, path: string, shown: string): string {
  const left = path.endsWith(shown) ? path.slice(0, path.length - shown.length) : "";
  return Buffer.from(base64, "base64").subarray(Buffer.byteLength(left)).toString("base64");
}

/** Sorts as bytes do: latin1 has a character for each of them. */
const keyOf = ({ text, base64 }: Foreign): string =>
  (base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64")).toString("latin1");

function shortened(
  text: string,
  matchAt: number,
  redactor: FindingsOptions["redactor"],
): { text: string; isCut: boolean } {
  if (text.length <= LINE_CHARS_MAX) return { text, isCut: false };
  const at = Buffer.from(text).subarray(0, matchAt).toString().length;
  const start = Math.max(0, Math.min(at - CHARS_BEFORE, text.length - LINE_CHARS_MAX));
  const end = start + LINE_CHARS_MAX;
  const [before, whole, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)].map((one) =>
    Buffer.from(one),
  ) as [Buffer, Buffer, Buffer];
  // INVARIANT (redact first): behind the cut a secret that it goes through would no longer be recognised.
  const neighbours = { before: before.subarray(-REACH_BYTES), after: after.subarray(0, REACH_BYTES) };
  const part = Buffer.from(redactor.redactCut(whole, neighbours)).toString();
  return { text: `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`, isCut: true };
}

/** With a line between what does not stand together, as `grep` has it. */
const inGroups = (lines: readonly FoundLine[]): readonly string[] =>
  lines.flatMap(({ rendered, number }, i) => {
    const before = lines[i - 1];
    return before === undefined || before.number === (number ?? 0) - 1 ? [rendered] : ["--", rendered];
  });
