import type { JsonObject } from "../../domain/json.ts";

export type Level = "info" | "warn" | "error";

/** One event a line, as JSON. What is logged names routes, ids and codes, never arguments, results or tokens. */
export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

export const logTo =
  (write: (line: string) => void): Log =>
  (level, message, fields = {}) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...(fields as JsonObject) })}\n`);
