import { type AwkToken, awkReadings, endsValue } from "./awk-tokens.ts";
import type { CodeActs } from "./code-acts.ts";

const UNREAD: CodeActs = { runs: true, writes: [null], reads: true };

/** What a program in awk does; whatever is not understood may run anything. */
export function awkActs(code: string): CodeActs {
  const readings = awkReadings(code);
  if (readings === null) return UNREAD;
  const acts = readings.map((tokens) => new Acts(tokens).all());
  return {
    runs: acts.some(({ runs }) => runs),
    writes: [...new Set(acts.flatMap(({ writes }) => writes))],
    reads: acts.some(({ reads }) => reads),
  };
}

const END: AwkToken = { kind: "end", text: "" };
/** Behind these a statement is over. */
const OVER = /^(?:|;|\}|\n)$/;
/** Commands without anything for a shell to expand, of programs that only look at their input. */
const PLAIN_COMMAND = /^(?:sort|uniq|cat|wc|head|tail|column|tac|rev|date|nl|cut|tr|fold|fmt)(?: +[-\w.,:+=/]+)*$/;
/** Options by which those write or run something. */
const NOT_PLAIN = / -[a-z]*[oT]| --(?:out|comp|files0|temp)/;

class Acts {
  readonly #tokens: readonly AwkToken[];
  #runs = false;
  #reads = false;
  readonly #writes: (string | null)[] = [];

  constructor(tokens: readonly AwkToken[]) {
    this.#tokens = tokens;
  }

  all(): CodeActs {
    let isPrinting = false;
    let depth = 0;
    for (const [at, { kind, text }] of this.#tokens.entries()) {
      if (kind === "name") {
        if (/^(?:\w+::)?system$/.test(text)) this.#command(at + 1, "(", ")");
        else if (text === "print" || text === "printf") [isPrinting, depth] = [true, 0];
        else if (text === "getline" && this.#at(at + 1, "<", 3)) this.#reads = true;
      } else if (kind === "sign") {
        if (OVER.test(text) || text === "{") isPrinting = false;
        if (text === "(") depth++;
        if (text === ")") depth--;
        if ((text === ">" || text === ">>") && isPrinting && depth <= 0) this.#file(at + 1);
        if (text === "|") this.#pipe(at, isPrinting && depth <= 0);
        if (text === "|&") this.#runs = true;
      }
    }
    return { runs: this.#runs, writes: this.#writes, reads: this.#reads };
  }

  readonly #token = (at: number): AwkToken => this.#tokens[at] ?? END;

  /** Whether one of the next tokens is this one, with names, signs of fields and indexes before it. */
  #at(from: number, text: string, most: number): boolean {
    for (let at = from; at <= from + most; at++) {
      if (this.#token(at).text === text && this.#token(at).kind === "sign") return true;
      if (OVER.test(this.#token(at).text)) return false;
    }
    return false;
  }

  /** `system("date")`: a text and nothing else, between two signs. */
  #command(from: number, open: string, close: string): void {
    const isText = this.#token(from).text === open && this.#token(from + 2).text === close;
    this.#started(isText ? this.#token(from + 1) : END);
  }

  #pipe(at: number, isPrinting: boolean): void {
    if (isPrinting) {
      const isText = OVER.test(this.#token(at + 2).text);
      return void this.#started(isText ? this.#token(at + 1) : END);
    }
    const isAlone = at < 2 || !endsValue(this.#token(at - 2));
    this.#started(this.#token(at + 1).text === "getline" && isAlone ? this.#token(at - 1) : END);
  }

  #started({ kind, text }: AwkToken): void {
    const command = text.slice(1, -1);
    if (kind !== "text" || !PLAIN_COMMAND.test(command) || NOT_PLAIN.test(command)) this.#runs = true;
  }

  #file(at: number): void {
    const { kind, text } = this.#token(at);
    const isText = kind === "text" && OVER.test(this.#token(at + 1).text) && !text.includes("\\");
    this.#writes.push(isText ? text.slice(1, -1) : null);
  }
}
