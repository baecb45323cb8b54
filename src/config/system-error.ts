/** The operating system's word for what went wrong, such as `ENOENT`; errors are recognised by code. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
