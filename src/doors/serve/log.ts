export type Level = "info" | "warn" | "error";

/** One event a line, as JSON. What is logged names routes, ids and codes, never arguments, results or tokens. */
export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Behind the answers that it tells of, and those of one turn at once. What went wrong is not kept back: worse may follow. */
export function logTo(write: (lines: string) => void): Log {
  let unwritten = "";
  const flush = () => {
    if (unwritten !== "") write(unwritten);
    unwritten = "";
  };
  return (level, message, fields = {}) => {
    if (unwritten === "") process.nextTick(flush);
    unwritten += `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;
    if (level !== "info") flush();
  };
}
