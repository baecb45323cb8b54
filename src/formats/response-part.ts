import { isJsonObject } from "../domain/json.ts";

/** A response that is not one of the format's: what is wrong, and where. */
export class ShapeFault extends Error {
  readonly at: string;

  constructor(at: string, message: string) {
    super(message);
    this.at = at;
  }
}

/** A part of a response, and where it stands. Nothing in it has been checked. */
export class ResponsePart {
  readonly value: unknown;
  readonly at: string;

  constructor(value: unknown, at = "") {
    this.value = value;
    this.at = at;
  }

  /** Null and undefined are the same here: some SDKs write one, some servers the other. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  member(name: string): ResponsePart {
    if (!isJsonObject(this.value)) throw this.fault("an object");
    const member = Object.hasOwn(this.value, name) ? this.value[name] : undefined;
    return new ResponsePart(member, this.at === "" ? name : `${this.at}.${name}`);
  }

  items(): readonly ResponsePart[] {
    if (!Array.isArray(this.value)) throw this.fault("a list");
    return this.value.map((item, index) => new ResponsePart(item, `${this.at}[${index}]`));
  }

  text(): string {
    if (typeof this.value !== "string") throw this.fault("a text");
    return this.value;
  }

  /** Null = absent, or empty, which names nothing. */
  optionalText(): string | null {
    return this.isAbsent || this.value === "" ? null : this.text();
  }

  /** What it is, in words. */
  get found(): string {
    return this.isAbsent ? "missing" : Array.isArray(this.value) ? "a list" : `of the type ${typeof this.value}`;
  }

  fault(expected: string): ShapeFault {
    return new ShapeFault(this.at, `\`${this.at || "the response"}\` has to be ${expected} and is ${this.found}`);
  }
}
