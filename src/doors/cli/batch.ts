import { resolve } from "node:path";
import { LIMITS } from "../../domain/limits.ts";
import { visibleJson } from "../../domain/visible.ts";
import type { BatchCall, BatchResult, Gate } from "../../wiring/gate.ts";
import { openNamedFile } from "../../wiring/open-named-file.ts";
import { callFromLine, type RefusedLine } from "./call-from-line.ts";
import { type Command, type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { type Line, linesOf } from "./lines-of.ts";
import { ownSession } from "./own-session.ts";
import { progressLine } from "./progress-line.ts";
import { withGate } from "./with-gate.ts";

const { default: CONCURRENCY, minimum, maximum } = LIMITS.batchConcurrency;

export const batch: Command = {
  name: "batch",
  usage: "batch FILE.jsonl or -",
  summary: "make many calls, a line of JSON each",
  details:
    'A line is {"tool": …, "input": {…}}, also with "params" for "input", and with "op": "explain" for a call that is\n' +
    "only explained. Each gives one line of JSON, an outcome or an explanation, in the order of the file. Calls whose\n" +
    "touches conflict run in that order, the rest side by side. A line that is no call is refused with its number and\n" +
    "everything that is wrong with it, and the rest goes on; empty lines are passed over.\n" +
    "Exit code: 0 whatever the outcomes, 1 when it was interrupted.",
  examples: ["toolgate batch calls.jsonl", "toolgate batch - --concurrency 4 <calls.jsonl >outcomes.jsonl"],
  flags: {
    concurrency: {
      type: "string",
      means: `how many run at a time, ${minimum} to ${maximum}; default: ${CONCURRENCY}`,
    },
    wait: { type: "boolean", means: "wait for a person's answer where a rule asks for one" },
  },
  takes: "file",
  agents: "all",
  run: async (invocation) => {
    const concurrency = concurrencyFrom(invocation);
    const file = fileFrom(invocation);
    return interruptible((signal) =>
      withGate(invocation, undefined, async (gate) => {
        const own = await ownSession(gate, invocation);
        if (own === null) return OUTCOME_EXIT.refused;
        const calls = callsFrom(await chunksOf(file, invocation, signal), signal, own);
        const tally = await showAll(gate, calls, invocation, { concurrency, signal });
        if (invocation.terminal.isErrTerminal) invocation.terminal.err(`${inWords(tally)}\n`);
        return signal.aborted ? OUTCOME_EXIT.failed : EXIT.ok;
      }),
    );
  },
};

type Tally = ReadonlyMap<string, number>;

async function showAll(
  gate: Gate,
  calls: AsyncIterable<BatchCall | RefusedLine>,
  { flags, terminal }: Invocation,
  options: { readonly concurrency: number; readonly signal: AbortSignal },
): Promise<Tally> {
  const whenAsked = flags["wait"] ? "wait" : "return";
  const tally = new Map<string, number>();
  using progress = progressLine(terminal);
  for await (const result of gate.results(calls, { ...options, whenAsked })) {
    terminal.out(`${visibleJson(result)}\n`);
    const word = wordFor(result);
    tally.set(word, (tally.get(word) ?? 0) + 1);
    progress.tell(() => inWords(tally));
    await terminal.outReady();
    // Nobody reads any more (`| head`): what runs is cancelled, and the rest is not begun.
    if (!terminal.isOutOpen()) break;
  }
  return tally;
}

const wordFor = (result: BatchResult): string => ("kind" in result ? result.kind : "explained");

function inWords(tally: Tally): string {
  const all = [...tally.values()].reduce((a, b) => a + b, 0);
  const parts = [...tally].map(([word, count]) => `${count.toLocaleString("en")} ${word}`);
  return `${all.toLocaleString("en")} ${all === 1 ? "call" : "calls"}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}

function concurrencyFrom({ flags }: Invocation): number {
  const { concurrency = String(CONCURRENCY) } = flags;
  const count = typeof concurrency === "string" && /^\d{1,9}$/.test(concurrency) ? Number(concurrency) : Number.NaN;
  if (count >= minimum && count <= maximum) return count;
  throw new UsageError(`--concurrency has to be a whole number from ${minimum} to ${maximum}`);
}

function fileFrom({ words: [file, ...more] }: Invocation): string {
  if (file === undefined) throw new UsageError("which file", "`-` reads the calls from standard input");
  noWords(more);
  return file;
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

/** Ends with a cancel, so that no line is read any more which would only be refused. */
async function* callsFrom(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  own: Pick<BatchCall, "session">,
): AsyncGenerator<BatchCall | RefusedLine> {
  for await (const line of linesOf(chunks, LIMITS.jsonBytes.default)) {
    if (signal.aborted) return;
    if (isEmpty(line)) continue;
    const call = callFromLine(line);
    yield "refusal" in call ? call : { ...call, ...own };
  }
}

const CARRIAGE_RETURN = 13;
const isEmpty = ({ bytes }: Line): boolean =>
  bytes !== null && (bytes.length === 0 || (bytes.length === 1 && bytes[0] === CARRIAGE_RETURN));
