import { resolve } from "node:path";
import { LIMITS } from "../../domain/limits.ts";
import type { BatchCall } from "../../wiring/gate.ts";
import { openNamedFile } from "../../wiring/open-named-file.ts";
import { type Line, linesOf } from "../wire/lines-of.ts";
import { callFromLine, type RefusedLine } from "./call-from-line.ts";
import { CommandLineError, type Invocation, noWords, UsageError } from "./command.ts";

/** The file that a batch is read from, as it was named. */
export function fileFrom({ words: [file, ...more] }: Invocation): string {
  if (file === undefined) throw new CommandLineError("no file is named", "`-` reads the calls from standard input");
  noWords(more);
  return file;
}

/** The calls of a batch. Ends with a cancel, so that no line is read any more which would only be refused. */
export async function* callsFromFile(
  file: string,
  invocation: Invocation,
  signal: AbortSignal,
): AsyncGenerator<BatchCall | RefusedLine> {
  for await (const line of linesOf(await chunksOf(file, invocation, signal), LIMITS.jsonBytes.default)) {
    if (signal.aborted) return;
    if (!isEmpty(line)) yield callFromLine(line);
  }
}

async function chunksOf(
  file: string,
  { terminal, cwd }: Invocation,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") return terminal.input(signal);
  const opened = await openNamedFile(resolve(cwd, file));
  if (!opened.ok) throw new UsageError(`\`${file}\` ${opened.why}`);
  return readable(opened.chunks, file);
}

/** The calls before the fault have been made by then, and their results are out. */
async function* readable(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* chunks;
  } catch (error) {
    throw new UsageError(`\`${file}\` can't be read to its end: ${error instanceof Error ? error.message : error}`);
  }
}

const CARRIAGE_RETURN = 13;
const isEmpty = ({ bytes }: Line): boolean =>
  bytes !== null && (bytes.length === 0 || (bytes.length === 1 && bytes[0] === CARRIAGE_RETURN));
