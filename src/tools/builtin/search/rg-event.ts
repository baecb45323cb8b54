import type { RgRecord } from "./rg-records.ts";

/** Text that may not be text: then `base64` has its bytes, and `text` what can be made of them. */
export interface Foreign {
  readonly text: string;
  readonly base64?: string;
}

export type RgEvent =
  | {
      readonly kind: "line";
      readonly isMatch: boolean;
      readonly path: Foreign;
      readonly line: number | null;
      /** Without its line end. Null = too long to be looked at. */
      readonly text: Foreign | null;
      /** Where in its bytes the first match begins. */
      readonly matchAt: number;
    }
  /** Everything was searched. */
  | { readonly kind: "done" };

/** Null = something that need not be known. */
export function rgEventFrom({ json, cut }: RgRecord): RgEvent | null {
  if (json.startsWith('{"data":') && json.endsWith('"type":"summary"}')) return { kind: "done" };
  const isMatch = json.startsWith('{"type":"match"');
  if (!isMatch && !json.startsWith('{"type":"context"')) return null;
  return cut === undefined ? lineFrom(JSON.parse(json).data, isMatch) : cutLine(json, cut.line, isMatch);
}

type RawText = { readonly text: string } | { readonly bytes: string };

interface RawLine {
  readonly path: RawText;
  readonly lines: RawText;
  readonly line_number: number | null;
  readonly submatches: readonly { readonly start: number }[];
}

const lineFrom = ({ path, lines, line_number, submatches }: RawLine, isMatch: boolean): RgEvent => ({
  kind: "line",
  isMatch,
  path: foreignFrom(path),
  line: line_number,
  text: withoutLineEnd(foreignFrom(lines)),
  matchAt: submatches[0]?.start ?? 0,
});

/** The path stands first, so it is there even if the rest is not. */
function cutLine(json: string, line: number | null, isMatch: boolean): RgEvent | null {
  const path = /^\{"type":"(?:match|context)","data":\{"path":(\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\})/.exec(json)?.[1];
  if (path === undefined) return null;
  return { kind: "line", isMatch, path: foreignFrom(JSON.parse(path)), line, text: null, matchAt: 0 };
}

const foreignFrom = (raw: RawText): Foreign =>
  "text" in raw ? raw : { text: Buffer.from(raw.bytes, "base64").toString(), base64: raw.bytes };

function withoutLineEnd({ text, base64 }: Foreign): Foreign {
  const line = text.replace(/\r?\n$/, "");
  if (base64 === undefined) return { text: line };
  const bytes = Buffer.from(base64, "base64");
  const end = text.length - line.length; // line ends are ASCII: as many bytes as characters
  return { text: line, base64: bytes.subarray(0, bytes.length - end).toString("base64") };
}
