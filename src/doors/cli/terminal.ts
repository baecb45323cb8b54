/** What a command sees of the world it was started from. */
export interface Terminal {
  /** Results. */
  readonly out: (text: string | Uint8Array) => void;
  /** Messages. */
  readonly err: (text: string) => void;
  /** For messages. */
  readonly paint: Paint;
  /** For results. */
  readonly outPaint: Paint;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  /** Whether results go to a person's eyes and not into a pipe. */
  readonly isOutTerminal: boolean;
  /** The same for messages. */
  readonly isErrTerminal: boolean;
  /** Whether anybody still reads the results. */
  readonly isOutOpen: () => boolean;
  /** Waits until who reads the results has come along, so that they don't pile up in memory. */
  readonly outReady: () => Promise<void>;
  readonly readInput: () => Promise<Uint8Array>;
  /** The same piece by piece, for more than fits into memory. Ends with `signal`. */
  readonly input: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Null: the person closed the terminal, or `signal` ended the question. */
  readonly question: (prompt: string, signal?: AbortSignal) => Promise<string | null>;
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof STYLES;
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${STYLES[style]}m${text}\u001b[0m`;
