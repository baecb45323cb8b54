import { type Digest, digestOf } from "../domain/digest.ts";
import type { GovernorSpecs } from "../domain/governor-spec.ts";
import type { Governors } from "../ports/governor.ts";
import type { FunctionGovernor } from "../tools/governor/function-governor.ts";
import type { GovernorsParts } from "../tools/governor/governors-from.ts";

interface LiveGovernorsParts extends GovernorsParts {
  readonly inForce: () => GovernorSpecs;
  /** Beside those of the settings, and for as long as the gate is open. */
  readonly functions: readonly FunctionGovernor[];
}

/** The governors of the settings in force, made anew when those change. What makes them is loaded with the first one. */
export class LiveGovernors {
  readonly #parts: LiveGovernorsParts;
  #made: { readonly of: GovernorSpecs; readonly governors: Promise<Governors> } | null = null;

  constructor(parts: LiveGovernorsParts) {
    this.#parts = parts;
  }

  /** Null: there are none. */
  current(): Promise<Governors> | null {
    const { functions, inForce } = this.#parts;
    const of = inForce();
    if (of.specs.length === 0 && functions.length === 0) return null;
    if (this.#made?.of !== of) this.#made = { of, governors: this.#make(of) };
    return this.#made.governors;
  }

  /** Of all that answers by itself: the files, and the functions by their names. Null: nothing does. */
  hashWith(ofFiles: Digest | null): Digest | null {
    const ids = this.#parts.functions.map(({ id }) => id);
    return ids.length === 0 ? ofFiles : digestOf({ files: ofFiles, functions: ids });
  }

  async #make(of: GovernorSpecs): Promise<Governors> {
    const { governorsFrom } = await import("../tools/governor/governors-from.ts");
    return governorsFrom(of, this.#parts.functions, this.#parts);
  }
}
