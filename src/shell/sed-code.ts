import type { CodeActs } from "./code-acts.ts";
import { STARTS } from "./hazard-reasons.ts";

const RUNS = STARTS.sed;
const WRITES = "is a script that writes or reads files of its choice";
const UNREAD = STARTS.unreadSed;

/** Something that a script does beside changing its input. */
interface SedAct {
  readonly why: string;
  /** What it writes to or reads. */
  readonly file?: string;
  readonly isRead?: true;
}

/** Why a script of sed does more than change its input; null = it does not. */
export function sedHazard(script: string): string | null {
  if (SHOWS.test(script)) return null;
  const [first, ...rest] = actsOf(script);
  return rest.some(({ why }) => why === STARTS.sedInput) ? STARTS.sedInput : (first?.why ?? null);
}

/** `1,120p`: by far the most of what sed is called for. */
const SHOWS = /^\d+(?:,(?:\d+|\$))?p$/;

/** The same with all that it does: what is not understood may run anything. */
export function sedActs(script: string): CodeActs {
  const ways = (["literal", "end"] as const).map((inBrackets) => [...actsOf(script, inBrackets)]);
  // One that can't be read is an error to a sed that reads it so, and then nothing is done.
  const read = ways.filter((acts) => !acts.some(({ why }) => why === UNREAD));
  const acts = read.flat();
  return {
    runs: read.length === 0 || acts.some(({ why }) => why !== WRITES),
    writes: acts.flatMap(({ file, isRead }) => (file === undefined || isRead === true ? [] : [file])),
    reads: acts.some(({ isRead }) => isRead === true),
  };
}

/** What a delimiter in brackets does to `s/[/]/b/`: programs differ, and where that matters nobody knows. */
type InBrackets = "literal" | "end" | "unknown";

function* actsOf(script: string, inBrackets: InBrackets = "unknown"): Generator<SedAct> {
  const rest = new Rest(script, inBrackets);
  while (rest.next()) {
    const act = command(rest);
    if (act !== null) yield act;
    if (act?.why === UNREAD) return;
  }
}

const RUN: SedAct = { why: RUNS };
/** The command is what is in the pattern space, and so in the input. */
const RUN_INPUT: SedAct = { why: STARTS.sedInput };
const NOT_READ: SedAct = { why: UNREAD };

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;
const WITH_TEXT = "aic";
const WITH_LABEL = "btT:";
const ALONE = "={}dDgGhHlnNpPqQxzF";

function command(rest: Rest): SedAct | null {
  for (;;) {
    rest.skip(/^[\s;]+/);
    const [address] = ADDRESS.exec(rest.text) ?? [];
    if (address !== undefined) rest.drop(address.length);
    else if (rest.text.startsWith("/")) {
      if (!rest.delimited("/")) return NOT_READ;
      rest.skip(/^[IM]*/);
    } else if (rest.text.startsWith("\\")) {
      const delimiter = rest.text[1] ?? "";
      rest.drop(1);
      if (!/^[^\\\n\w\s]$/.test(delimiter) || !rest.delimited(delimiter)) return NOT_READ;
      rest.skip(/^[IM]*/);
    } else if (rest.text.startsWith(",") || rest.text.startsWith("!")) rest.drop(1);
    else break;
  }
  const name = rest.text[0];
  if (name === undefined) return null;
  if (name === "#") {
    rest.skip(/^[^\n]*/);
    return null;
  }
  rest.drop(1);
  if (name === "e") {
    const isWritten = /^[ \t]*[^\s;}]/.test(rest.text);
    rest.skip(/^[^\n]*/);
    return isWritten ? RUN : RUN_INPUT;
  }
  if ("wWrR".includes(name)) return { ...opened(rest), ...("rR".includes(name) && { isRead: true as const }) };
  if (name === "s" || name === "y") return substitution(rest, name);
  // To the end of the line, and on where that ends in a backslash.
  if (WITH_TEXT.includes(name)) rest.skip(/^(?:[^\\\n]|\\[\s\S])*/);
  else if (WITH_LABEL.includes(name)) return label(rest, name);
  else if (!ALONE.includes(name)) return NOT_READ;
  else rest.skip(/^[ \t]*\d*/);
  return null;
}

/** To GNU sed it ends at a blank, and a command may follow: `:a e rm`. To others it goes on, as `:a}` does to older ones. */
function label(rest: Rest, name: string): SedAct | null {
  rest.skip(/^[ \t]*[^\s;}]*/);
  const ends = name === ":" ? /^[ \t]*(?:[;\n]|$)/ : /^[ \t]*(?:[;}\n]|$)/;
  return ends.test(rest.text) ? null : NOT_READ;
}

/** A name goes on to the end of its line, whatever it holds. */
function opened(rest: Rest): SedAct {
  const [name = ""] = /^[^\n]*/.exec(rest.text) ?? [];
  rest.drop(name.length);
  return { why: WRITES, file: name.trim() };
}

function substitution(rest: Rest, name: "s" | "y"): SedAct | null {
  const delimiter = rest.text[0] ?? "";
  if (delimiter === "" || delimiter === "\\" || delimiter === "\n") return NOT_READ;
  if (!rest.delimited(delimiter)) return NOT_READ;
  rest.unread(delimiter);
  if (!rest.delimited(delimiter)) return NOT_READ;
  if (name === "y") return null;
  const [flags = ""] = /^[^\s;}]*/.exec(rest.text) ?? [];
  if (/^[gpiImM\d]*e/.test(flags)) {
    rest.drop(flags.length);
    return RUN_INPUT;
  }
  if (flags.includes("w")) {
    rest.drop(flags.indexOf("w") + 1);
    return opened(rest);
  }
  if (!/^[gpiImM\d]*$/.test(flags)) return NOT_READ;
  rest.drop(flags.length);
  return null;
}

class Rest {
  text: string;
  readonly #inBrackets: InBrackets;

  constructor(text: string, inBrackets: InBrackets) {
    this.text = text;
    this.#inBrackets = inBrackets;
  }

  next(): boolean {
    this.skip(/^[\s;]+/);
    return this.text !== "";
  }

  drop(count: number): void {
    this.text = this.text.slice(count);
  }

  unread(text: string): void {
    this.text = text + this.text;
  }

  skip(pattern: RegExp): void {
    this.drop(pattern.exec(this.text)?.[0].length ?? 0);
  }

  /** Passes over `/…/`. In a bracket expression the delimiter still ends it, as in GNU sed it does not: then the rest is odd. */
  delimited(delimiter: string): boolean {
    for (let i = 1; i < this.text.length; i++) {
      if (this.text[i] === "\\") i++;
      else if (this.text[i] === "[" && delimiter !== "[" && this.#inBrackets !== "end") {
        const close = bracketEnd(this.text, i);
        if (close === -1) continue;
        if (this.#inBrackets === "unknown" && this.text.slice(i, close).includes(delimiter)) return false;
        i = close;
      } else if (this.text[i] === delimiter) {
        this.drop(i + 1);
        return true;
      }
    }
    return false;
  }
}

/** Where the bracket expression that begins at `at` ends, past classes such as `[:alpha:]`; -1 = it does not. */
function bracketEnd(text: string, at: number): number {
  let i = at + 1;
  if (text[i] === "^") i++;
  if (text[i] === "]") i++;
  for (; i < text.length; i++) {
    if (text[i] === "]") return i;
    const mark = text[i] === "[" ? (text[i + 1] ?? "") : "";
    const end = /^[:.=]$/.test(mark) ? text.indexOf(`${mark}]`, i + 2) : -1;
    if (end !== -1) i = end + 1;
  }
  return -1;
}
