/** A key or the head of a table, by its full path. */
export interface TomlKey {
  readonly path: readonly string[];
  /** `table`: more of it may stand in other tables. `value`: it is whole where it stands. `list`: one of a list of tables. */
  readonly is: "table" | "value" | "list";
}

const BARE = /[A-Za-z0-9_-]+/y;
const BLANK = /[ \t]*/y;
const BETWEEN = /(?:[ \t\r\n]|#[^\n]*)*/y;

/** All keys of a text of TOML that stand outside of inline tables, in order. Null: it is not understood. */
export function tomlKeys(text: string): readonly TomlKey[] | null {
  try {
    return new TomlScanner(text).keys();
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** Finds keys, and leaps over values: it has to know where a text, a list or an inline table ends, and nothing of what is in it. */
class TomlScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  keys(): readonly TomlKey[] {
    const found: TomlKey[] = [];
    let table: readonly string[] = [];
    for (this.#skip(BETWEEN); this.#at < this.#text.length; this.#skip(BETWEEN)) {
      if (this.#peek("[")) {
        const { path, is } = this.#head();
        table = path;
        found.push({ path, is });
      } else {
        const path = [...table, ...this.#dotted()];
        this.#take("=");
        this.#skip(BLANK);
        this.#value();
        found.push({ path, is: "value" });
      }
      this.#endOfLine();
    }
    return found;
  }

  #head(): TomlKey {
    const is = this.#peek("[[") ? "list" : "table";
    this.#take(is === "list" ? "[[" : "[");
    const path = this.#dotted();
    this.#take(is === "list" ? "]]" : "]");
    return { path, is };
  }

  #dotted(): readonly string[] {
    const path: string[] = [];
    do {
      this.#skip(BLANK);
      path.push(this.#name());
      this.#skip(BLANK);
    } while (this.#takeIf("."));
    return path;
  }

  #name(): string {
    if (this.#peek('"') || this.#peek("'")) return this.#line();
    const name = this.#skip(BARE);
    if (name === "") throw new NotUnderstood();
    return name;
  }

  /** A text that ends in its line. Escapes are those of JSON; one that JSON does not know is not understood. */
  #line(): string {
    const quote = this.#text[this.#at];
    const from = this.#at++;
    for (; this.#text[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#text.length || this.#text[this.#at] === "\n") throw new NotUnderstood();
      if (quote === '"' && this.#text[this.#at] === "\\") this.#at++;
    }
    const inside = this.#text.slice(from + 1, this.#at++);
    if (quote === "'") return inside;
    try {
      return String(JSON.parse(`"${inside.replaceAll("\t", "\\t")}"`));
    } catch {
      throw new NotUnderstood();
    }
  }

  #value(): void {
    const quotes = ['"""', "'''"].find((three) => this.#peek(three));
    if (quotes !== undefined) this.#lines(quotes);
    else if (this.#peek('"') || this.#peek("'")) this.#leapLine();
    else if (this.#peek("[") || this.#peek("{")) this.#nested();
    else if (this.#skip(/[^\s,#\]}=[{"']+(?: [0-9][^\s,#\]}]*)?/y) === "") throw new NotUnderstood();
  }

  /** A value's text may have escapes that JSON has not. */
  #leapLine(): void {
    const quote = this.#text[this.#at++];
    for (; this.#text[this.#at] !== quote; this.#at++) {
      if (this.#at >= this.#text.length || this.#text[this.#at] === "\n") throw new NotUnderstood();
      if (quote === '"' && this.#text[this.#at] === "\\") this.#at++;
    }
    this.#at++;
  }

  #lines(quotes: string): void {
    this.#at += quotes.length;
    for (; !this.#peek(quotes); this.#at++) {
      if (this.#at >= this.#text.length) throw new NotUnderstood();
      if (quotes === '"""' && this.#text[this.#at] === "\\") this.#at++;
    }
    this.#at += quotes.length;
    // Up to two more of them belong to the text.
    while (this.#text[this.#at] === quotes[0]) this.#at++;
  }

  /** A list or an inline table, with all that is in it. Without recursion: nobody says how deep they are. */
  #nested(): void {
    const open: string[] = [];
    do {
      this.#skip(BETWEEN);
      const char = this.#text[this.#at];
      if (char === undefined) throw new NotUnderstood();
      if (char === "[" || char === "{") open.push(char === "[" ? "]" : "}");
      else if (char === "]" || char === "}") {
        if (open.pop() !== char) throw new NotUnderstood();
      } else if (char === '"' || char === "'") {
        this.#value();
        continue;
      }
      this.#at++;
    } while (open.length > 0);
  }

  #endOfLine(): void {
    this.#skip(/[ \t]*(?:#[^\n]*)?/y);
    if (this.#at < this.#text.length && !this.#takeIf("\n") && !this.#takeIf("\r\n")) throw new NotUnderstood();
  }

  #peek(what: string): boolean {
    return this.#text.startsWith(what, this.#at);
  }

  #takeIf(what: string): boolean {
    const is = this.#peek(what);
    if (is) this.#at += what.length;
    return is;
  }

  #take(what: string): void {
    this.#skip(BLANK);
    if (!this.#takeIf(what)) throw new NotUnderstood();
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
