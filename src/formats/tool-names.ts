import { digestOfText } from "../domain/digest.ts";

/** What a provider takes as the name of a tool. */
export interface NameRule {
  readonly legal: RegExp;
  /** Runs of what has to be replaced. */
  readonly illegal: RegExp;
  readonly firstLegal: RegExp;
}

/** Good for all of them: OpenAI and Bedrock 64 of `[A-Za-z0-9_-]`, Gemini begins with a letter or `_`. */
export const EVERY_MODEL: NameRule = {
  legal: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  illegal: /[^A-Za-z0-9_-]+/g,
  firstLegal: /^[A-Za-z_]/,
};

/** MCP 2026-07-28, and every version before it that says anything. */
export const MCP_NAMES: NameRule = {
  legal: /^[A-Za-z0-9_.-]{1,128}$/,
  illegal: /[^A-Za-z0-9_.-]+/g,
  firstLegal: /^[A-Za-z0-9_.-]/,
};

/** A name that is made by us stays short: agents put the name of their server in front. */
const MADE_LENGTH_MAX = 40;
const HASH_LENGTH = 8;

/**
 * The names of a catalog's tools as one provider takes them, and back.
 * INVARIANT (names): a bijection. A legal name stays as it is and goes before any that is made; a made one ends in a hash
 * of the tool's own name, so that a look-alike never gets the name of what it imitates, nor does one that is cut.
 */
export class ToolNames {
  readonly #offered = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(names: Iterable<string>, rule: NameRule) {
    const all = [...names];
    for (const name of all) if (rule.legal.test(name)) this.#add(name, name);
    // In an order of their own, so that the order of the catalog does not matter.
    for (const name of all.filter((each) => !rule.legal.test(each)).toSorted()) this.#add(name, this.#made(name, rule));
  }

  /** The name that a model knows the tool by. */
  offered(own: string): string | undefined {
    return this.#offered.get(own);
  }

  /** The tool's own name. */
  own(offered: string): string | undefined {
    return this.#own.get(offered);
  }

  allOffered(): Iterable<string> {
    return this.#own.keys();
  }

  get size(): number {
    return this.#own.size;
  }

  #add(own: string, offered: string): void {
    if (this.#offered.has(own)) throw new TypeError(`two tools are called \`${own}\``);
    this.#offered.set(own, offered);
    this.#own.set(offered, own);
  }

  /** Somebody may call a tool just as we would call another: then the hash gets longer, and at last a number. */
  #made(name: string, rule: NameRule): string {
    const hash = digestOfText(name);
    for (let length = HASH_LENGTH; length <= MADE_LENGTH_MAX / 2; length++) {
      const made = withTail(name, `_${hash.slice(0, length)}`, rule);
      if (!this.#own.has(made)) return made;
    }
    let number = 2;
    while (this.#own.has(withTail(name, `_${hash.slice(0, HASH_LENGTH)}_${number}`, rule))) number++;
    return withTail(name, `_${hash.slice(0, HASH_LENGTH)}_${number}`, rule);
  }
}

function withTail(name: string, tail: string, { illegal, firstLegal }: NameRule): string {
  const legal = name.slice(0, MADE_LENGTH_MAX).replace(illegal, "_");
  const begun = firstLegal.test(legal) ? legal : `_${legal}`;
  return begun.slice(0, MADE_LENGTH_MAX - tail.length) + tail;
}
