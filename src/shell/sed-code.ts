const RUNS = "is a script that runs commands";
const WRITES = "is a script that writes or reads files of its choice";
const UNREAD = "is a script that can't be read";

/** Why a script of sed does more than change its input; null = it does not. */
export function sedHazard(script: string): string | null {
  if (SHOWS.test(script)) return null;
  const rest = new Rest(script);
  while (rest.next()) {
    const why = command(rest);
    if (why !== null) return why;
  }
  return null;
}

/** `1,120p`: by far the most of what sed is called for. */
const SHOWS = /^\d+(?:,(?:\d+|\$))?p$/;

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;
const WITH_TEXT = "aic";
const WITH_LABEL = "btT:";
const ALONE = "={}dDgGhHlnNpPqQxzF";

function command(rest: Rest): string | null {
  for (;;) {
    rest.skip(/^[\s;]+/);
    const [address] = ADDRESS.exec(rest.text) ?? [];
    if (address !== undefined) rest.drop(address.length);
    else if (rest.text.startsWith("/")) {
      if (!rest.delimited("/")) return UNREAD;
      rest.skip(/^[IM]*/);
    } else if (rest.text.startsWith("\\")) {
      const delimiter = rest.text[1] ?? "";
      rest.drop(1);
      if (!/^[^\\\n\w\s]$/.test(delimiter) || !rest.delimited(delimiter)) return UNREAD;
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
  if (name === "e") return RUNS;
  if ("wWrR".includes(name)) return WRITES;
  if (name === "s" || name === "y") return substitution(rest, name);
  // To the end of the line, and on where that ends in a backslash.
  if (WITH_TEXT.includes(name)) rest.skip(/^(?:[^\\\n]|\\[\s\S])*/);
  else if (WITH_LABEL.includes(name)) rest.skip(/^[^\n;}]*/);
  else if (!ALONE.includes(name)) return UNREAD;
  else rest.skip(/^[ \t]*\d*/);
  return null;
}

function substitution(rest: Rest, name: "s" | "y"): string | null {
  const delimiter = rest.text[0] ?? "";
  if (delimiter === "" || delimiter === "\\" || delimiter === "\n") return UNREAD;
  if (!rest.delimited(delimiter)) return UNREAD;
  rest.unread(delimiter);
  if (!rest.delimited(delimiter)) return UNREAD;
  if (name === "y") return null;
  const [flags = ""] = /^[^\s;}]*/.exec(rest.text) ?? [];
  if (/^[gpiImM\d]*e/.test(flags)) return RUNS;
  if (flags.includes("w")) return WRITES;
  if (!/^[gpiImM\d]*$/.test(flags)) return UNREAD;
  rest.drop(flags.length);
  return null;
}

class Rest {
  text: string;

  constructor(text: string) {
    this.text = text;
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
      else if (this.text[i] === "[" && delimiter !== "[") {
        const close = this.text.indexOf("]", this.text[i + 1] === "^" ? i + 3 : i + 2);
        const inside = close === -1 ? "" : this.text.slice(i, close);
        // GNU sed ends at a delimiter in brackets in `s`, others don't: what depends on it is not read.
        if (inside.includes(delimiter)) return false;
      } else if (this.text[i] === delimiter) {
        this.drop(i + 1);
        return true;
      }
    }
    return false;
  }
}
