const CODES: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_URL",
  "ERR_INVALID_URL_SCHEME",
  "ERR_INVALID_FILE_URL_HOST",
  "ERR_INVALID_FILE_URL_PATH",
  "ERR_INVALID_ARG_VALUE",
]);

/** Whether this is how `fileURLToPath` says that its argument names no file of this machine. */
export const isNoFileUrl = (error: unknown): boolean =>
  error instanceof URIError || CODES.has((error as { readonly code?: unknown } | null)?.code);
