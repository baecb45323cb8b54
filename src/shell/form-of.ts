import type { Flow } from "./value-flow.ts";
import type { Shape } from "./word-shape.ts";

/** A word of a command, behind its program. */
export interface FormWord {
  readonly text: string;
  readonly isStatic: boolean;
  readonly shape: Shape;
  readonly flow: Flow;
}

/** What a value must not be: a pattern, or something that asks more. */
export type Refused = Pick<RegExp, "source" | "test">;

/** Which values must not be of a form where they stand, and what the author can write instead. */
export interface FoundForm {
  readonly values: ReadonlySet<number>;
  readonly refused: Refused;
  readonly fix?: string;
}

export const form = (values: ReadonlySet<number>, refused: Refused, fix?: string): FoundForm => ({
  ...{ values, refused },
  ...(fix !== undefined && { fix }),
});
