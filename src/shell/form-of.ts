import type { Flow } from "./value-flow.ts";
import type { Shape } from "./word-shape.ts";

/** A word of a command, behind its program. */
export interface FormWord {
  readonly text: string;
  readonly isStatic: boolean;
  readonly shape: Shape;
  readonly flow: Flow;
}

/** Which values must not be of a form where they stand, and what the author can write instead. */
export interface FoundForm {
  readonly values: ReadonlySet<number>;
  readonly refused: RegExp;
  readonly fix?: string;
}

export const form = (values: ReadonlySet<number>, refused: RegExp, fix?: string): FoundForm => ({
  ...{ values, refused },
  ...(fix !== undefined && { fix }),
});
