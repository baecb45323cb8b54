import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import { endOfNumber, numberFrom } from "./json-number.ts";
import { closingQuote, textBetween } from "./json-string.ts";
import { JsonTextFault } from "./json-text-fault.ts";

export interface JsonLimits {
  readonly bytes: number;
  /** How many arrays and objects may stand inside each other. */
  readonly depth: number;
  /** How many values there may be in all; each member of an object is one. */
  readonly values: number;
}

/**
 * A reader of RFC 8259, stricter where two readers of one text could disagree (RFC 7493, I-JSON).
 * Our own and not `JSON.parse`, which keeps the last of two equal names and has no limits: what is judged has to be what
 * everybody downstream reads.
 */
export class JsonReader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #values = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  read(): JsonValue {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault(`${this.#here()} after the end of the value`);
    return value;
  }

  #value(depth: number): JsonValue {
    this.#skipSpace();
    if (++this.#values > this.#limits.values) throw this.#fault(`more than ${this.#limits.values} values`);
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case "{":
        return this.#object(this.#deeper(depth));
      case "[":
        return this.#array(this.#deeper(depth));
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        return this.#number();
    }
  }

  #deeper(depth: number): number {
    if (depth < this.#limits.depth) return depth + 1;
    throw this.#fault(`nested more than ${this.#limits.depth} deep`);
  }

  #object(depth: number): JsonObject {
    const members: Record<string, JsonValue> = {};
    this.#at++;
    if (this.#take("}")) return members;
    do {
      const name = this.#newName(members);
      this.#expect(":");
      members[name] = this.#value(depth);
    } while (this.#take(","));
    this.#expect("}");
    return members;
  }

  /**
   * Two members of one name: one reader takes the first, the next the last, and a check of one says nothing of the other.
   * `__proto__`: an ordinary member here, and the prototype wherever a later step copies by assignment. `constructor` and
   * `prototype` are harmless: as own members they only hide what is inherited, and nothing here looks there.
   */
  #newName(members: JsonObject): string {
    this.#skipSpace();
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#fault(`a name in double quotes is expected, not ${this.#here()}`);
    const name = this.#string();
    if (name === "__proto__") throw new JsonTextFault("the name `__proto__` is not allowed", start);
    if (Object.hasOwn(members, name)) {
      throw new JsonTextFault(`the name ${quoted(name)} stands twice in one object`, start);
    }
    return name;
  }

  #array(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.#at++;
    if (this.#take("]")) return items;
    do items.push(this.#value(depth));
    while (this.#take(","));
    this.#expect("]");
    return items;
  }

  #string(): string {
    const open = this.#at;
    const close = closingQuote(this.#text, open);
    this.#at = close + 1;
    return textBetween(this.#text, open, close);
  }

  #number(): number {
    const start = this.#at;
    const end = endOfNumber(this.#text, start);
    if (end === start) throw this.#fault(`a value is expected, not ${this.#here()}`);
    this.#at = end;
    return numberFrom(this.#text.slice(start, end), start);
  }

  #literal(word: string, value: JsonValue): JsonValue {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault(`a value is expected, not ${this.#here()}`);
    this.#at += word.length;
    return value;
  }

  #take(mark: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #expect(mark: string): void {
    if (this.#take(mark)) return;
    throw this.#fault(`\`${mark}\`${mark === ":" ? "" : " or `,`"} is expected, not ${this.#here()}`);
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #here(): string {
    const point = this.#text.codePointAt(this.#at);
    return point === undefined ? "the end of the text" : quoted(String.fromCodePoint(point));
  }

  #fault(message: string): JsonTextFault {
    return new JsonTextFault(message, this.#at);
  }
}

/** The four that JSON has, and no other Unicode space. */
const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
