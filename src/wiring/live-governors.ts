import type { Config } from "../config/config.ts";
import type { GovernorSpecs } from "../domain/governor-spec.ts";
import type { Governors } from "../ports/governor.ts";
import type { FunctionGovernor } from "../tools/governor/function-governor.ts";
import { type GovernorsParts, governorsFrom } from "../tools/governor/governors-from.ts";

export interface LiveGovernorsParts extends GovernorsParts {
  readonly config: Pick<Config, "governors">;
  /** Those of the program, which no file changes. */
  readonly functions: readonly FunctionGovernor[];
}

/** The governors in force. They follow their file, all of them or none. */
export class LiveGovernors {
  readonly #parts: LiveGovernorsParts;
  readonly #secrets: readonly string[];
  #hash: GovernorSpecs["hash"];
  #governors: Governors;

  constructor(parts: LiveGovernorsParts) {
    const { governors } = parts.config;
    this.#parts = parts;
    this.#secrets = secretsOf(governors);
    this.#hash = governors.hash;
    this.#governors = governorsFrom(governors, parts.functions, parts);
  }

  current(): Governors {
    return this.#governors;
  }

  /** Makes those of a config ready to take over, or says why they can't. */
  prepare({ governors }: Pick<Config, "governors">): (() => void) | string {
    if (governors.hash === this.#hash) return () => {};
    // What takes secrets out of everything was made at the start, and does not know this one.
    if (secretsOf(governors).some((secret) => !this.#secrets.includes(secret)))
      return "a governor has a new secret, which only a new start can keep from being shown";
    try {
      const next = governorsFrom(governors, this.#parts.functions, this.#parts);
      return () => {
        this.#governors = next;
        this.#hash = governors.hash;
      };
    } catch (error) {
      return error instanceof Error ? error.message : "the governors can't be used";
    }
  }
}

const secretsOf = ({ specs }: GovernorSpecs): readonly string[] =>
  specs.flatMap(({ way }) =>
    way.kind === "script"
      ? []
      : Object.values(way.headers).flatMap((value) => (typeof value === "string" ? [] : [value.secret.reveal()])),
  );
