import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { visibleJson } from "../../domain/visible.ts";
import type { BatchCall, BatchResult, Gate } from "../../wiring/gate.ts";
import { explainedAtTheDoor } from "../../wiring/refused-at-the-door.ts";
import type { RefusedLine } from "./call-from-line.ts";
import { callsFromFile, fileFrom } from "./calls-from-file.ts";
import { type Command, type Invocation, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { ownSession } from "./own-session.ts";
import { progressLine } from "./progress-line.ts";
import { refusedCalls } from "./refused-calls.ts";
import { showRefusal } from "./show-refusal.ts";
import type { Terminal } from "./terminal.ts";
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
    "Exit code: 0 whatever the outcomes, 1 when it was interrupted, 2 not understood, 3 where the settings don't load or\n" +
    "the token is not good: then every line is refused.",
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
  refused: async (refusal, invocation) => {
    const { words, flags, terminal } = invocation;
    const [file] = words;
    if (!flags["json"] || file === undefined) showRefusal(refusal, flags, terminal);
    if (file === undefined) return OUTCOME_EXIT.refused;
    return interruptible((signal) => refuseLines(callsFromFile(file, invocation, signal), refusal, terminal));
  },
  run: async (invocation) => {
    const concurrency = concurrencyFrom(invocation);
    const file = fileFrom(invocation);
    return interruptible((signal) =>
      withGate(invocation, undefined, async (gate) => {
        const own = await ownSession(gate, invocation);
        if ("refusal" in own) return await invocation.refuse(own.refusal);
        const calls = ofSession(callsFromFile(file, invocation, signal), own);
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
  const lines: (number | null)[] = [];
  using progress = progressLine(terminal);
  for await (const result of gate.results(noting(calls, lines), { ...options, whenAsked })) {
    terminal.out(resultLine(result, lines.shift() ?? null));
    const word = wordFor(result);
    tally.set(word, (tally.get(word) ?? 0) + 1);
    progress.tell(() => inWords(tally));
    await terminal.outReady();
    // Nobody reads any more (`| head`): what runs is cancelled, and the rest is not begun.
    if (!terminal.isOutOpen()) break;
  }
  return tally;
}

/** Results come in the order of the calls. */
async function* noting(calls: AsyncIterable<BatchCall | RefusedLine>, lines: (number | null)[]) {
  for await (const call of calls) {
    lines.push("line" in call ? call.line : null);
    yield call;
  }
}

/** What was no call says which line it was. */
const resultLine = (result: BatchResult, line: number | null): string =>
  `${visibleJson(line === null ? result : { ...result, line })}\n`;

async function* ofSession(calls: AsyncIterable<BatchCall | RefusedLine>, own: Pick<BatchCall, "session">) {
  for await (const call of calls) yield { ...call, ...own };
}

/** Without a gate: one outcome or explanation a line, as ever, and nothing is run. */
async function refuseLines(
  calls: AsyncIterable<BatchCall | RefusedLine>,
  refusal: Refusal,
  terminal: Terminal,
): Promise<number> {
  const refused = refusedCalls(refusal);
  for await (const call of calls) {
    const own = "refusal" in call ? call.refusal : refusal;
    const result = call.op === "explain" ? explainedAtTheDoor(own) : refused(call.tool, own);
    terminal.out(resultLine(result, "line" in call ? call.line : null));
    await terminal.outReady();
    if (!terminal.isOutOpen()) break;
  }
  return OUTCOME_EXIT.refused;
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
