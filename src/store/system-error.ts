/** Whether the operating system refused something: its errors carry a number and a code such as `ENOENT`. */
export const isSystemError = (error: unknown): boolean =>
  error instanceof Error && "errno" in error && typeof error.errno === "number" && "syscall" in error;

/** Whether SQLite refused something, or the connection is closed already. */
export const isDatabaseError = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ERR_SQLITE_ERROR" || error.code === "ERR_INVALID_STATE");
