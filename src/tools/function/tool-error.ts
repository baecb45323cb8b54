/**
 * What a tool says went wrong, in words for whoever called it. Of all else that is thrown nothing is told: it may hold
 * anything.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code = TOLD;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(
    message: string,
    { retryable = false, cause }: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

const TOLD = "TOOL_ERROR";

/** By its code: a program may have loaded this file twice. */
export const isToolError = (thrown: unknown): thrown is ToolError =>
  thrown instanceof Error && "code" in thrown && thrown.code === TOLD;
