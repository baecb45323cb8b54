/** A tool's definition that may have come from anywhere. */
export interface Definition {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly source?: unknown;
  readonly trust?: unknown;
  readonly effects?: unknown;
  readonly timeoutMs?: unknown;
}
