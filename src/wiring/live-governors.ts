import type { Config } from "../config/config.ts";
import { type Digest, digestOf } from "../domain/digest.ts";
import type { GovernorSpecs } from "../domain/governor-spec.ts";
import type { Governors } from "../ports/governor.ts";
import type { FunctionGovernor } from "../tools/governor/function-governor.ts";
import type { GovernorsParts } from "../tools/governor/governors-from.ts";

export interface LiveGovernorsParts extends GovernorsParts {
  readonly config: Pick<Config, "governors">;
  /** Those of the program, which no file changes. */
  readonly functions: readonly FunctionGovernor[];
}

/** The governors in force. They follow their file, all of them or none; what makes them is loaded with the first call. */
export class LiveGovernors {
  readonly #parts: LiveGovernorsParts;
  readonly #secrets: readonly string[];
  #specs: GovernorSpecs;
  #made: Promise<Governors> | null = null;

  constructor(parts: LiveGovernorsParts) {
    const { governors } = parts.config;
    const taken = takenName(governors, parts.functions);
    if (taken !== null) throw new TypeError(taken);
    this.#parts = parts;
    this.#secrets = secretsOf(governors);
    this.#specs = governors;
  }

  /** Null: there are none. */
  current(): Promise<Governors> | null {
    if (this.#specs.specs.length === 0 && this.#parts.functions.length === 0) return null;
    this.#made ??= this.#make(this.#specs);
    return this.#made;
  }

  /** Makes those of a config ready to take over, or says why they can't. */
  prepare({ governors }: Pick<Config, "governors">): (() => void) | string {
    if (governors.hash === this.#specs.hash) return () => {};
    // What takes secrets out of everything was made at the start, and does not know this one.
    if (secretsOf(governors).some((secret) => !this.#secrets.includes(secret)))
      return "a governor has a new secret, which only a new start can keep from being shown";
    return (
      takenName(governors, this.#parts.functions) ??
      (() => {
        this.#specs = governors;
        this.#made = null;
      })
    );
  }

  /** Of all that answers by itself: the files, and the functions by their names. Null: nothing does. */
  hashWith(ofFiles: Digest | null): Digest | null {
    const { functions } = this.#parts;
    return functions.length === 0 ? ofFiles : digestOf({ files: ofFiles, functions: functions.map(({ id }) => id) });
  }

  async #make(specs: GovernorSpecs): Promise<Governors> {
    const { governorsFrom } = await import("../tools/governor/governors-from.ts");
    return governorsFrom(specs, this.#parts.functions, this.#parts);
  }
}

/** Null: every name is of one governor. */
function takenName({ specs }: GovernorSpecs, functions: readonly FunctionGovernor[]): string | null {
  const ids = [...specs, ...functions].map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  return twice === undefined ? null : `there are two governors called \`${twice}\``;
}

const secretsOf = ({ specs }: GovernorSpecs): readonly string[] =>
  specs.flatMap(({ way }) =>
    way.kind === "script"
      ? []
      : Object.values(way.headers).flatMap((value) => (typeof value === "string" ? [] : [value.secret.reveal()])),
  );
