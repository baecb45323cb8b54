import { setImmediate } from "node:timers/promises";
import type { Entry } from "../../domain/entry.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { quoted, visibleJson, visibleLine } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { isYes } from "./is-yes.ts";
import { verifyCommand } from "./ledger-verify.ts";
import { showRefusal } from "./show-refusal.ts";
import { withGate } from "./with-gate.ts";

const SHOWN_ENTRIES = 20;
const ENTRIES_PER_TURN = 1000;

type Checkpoint = NonNullable<ReturnType<Gate["ledger"]["lastCheckpoint"]>>;
type Subcommand = (gate: Gate, invocation: Invocation) => Promise<number>;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  show,
  verify: verifyCommand,
  checkpoint,
  prove,
  export: exportAll,
  adopt,
};

export const ledger: Command = {
  name: "ledger",
  usage: "ledger show | verify | checkpoint | prove SEQ | export | adopt",
  summary: "read, verify and anchor the ledger",
  details:
    "show        the last entries, or those of one call\n" +
    "verify      reads all of it; exit code 6 when it is not what was written, and names the entry or the call\n" +
    "checkpoint  signs what is there now, in the store and in checkpoints.jsonl beside it; where nothing is new, tells the last\n" +
    "prove SEQ   a proof, for somebody who holds a checkpoint, that the entry is under it\n" +
    "export      every entry, a line of JSON each\n" +
    "adopt       takes over a ledger that was copied or restored to this place; asks first\n" +
    "Keep a copy of checkpoints.jsonl on another machine: who can write this one could rewrite both.",
  examples: [
    "toolgate ledger show",
    "toolgate ledger show --call call_0192… --json",
    "toolgate ledger verify",
    "toolgate ledger verify --all-calls",
    "toolgate ledger verify --checkpoints /mnt/elsewhere/checkpoints.jsonl",
    "toolgate ledger prove 17",
  ],
  flags: {
    call: { type: "string", of: ["show"], means: "only the entries of this call" },
    last: { type: "string", of: ["show"], means: `how many entries; default ${SHOWN_ENTRIES}, of a call all` },
    checkpoints: {
      type: "string",
      of: ["verify"],
      means: "a copy of checkpoints.jsonl that was kept elsewhere",
      value: "file",
    },
    "all-calls": {
      type: "boolean",
      of: ["verify"],
      means:
        "hold calls, questions and sessions against the entries: all of them, and not only open ones and the newest",
    },
    key: { type: "string", of: ["verify"], means: "the fingerprint that the signing key has to have" },
    yes: { type: "boolean", of: ["adopt"], means: "without being asked" },
  },
  subcommands: Object.keys(SUBCOMMANDS),
  run: async (invocation) => {
    const [name = "show", ...words] = invocation.words;
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (!subcommand)
      throw new CommandLineError(
        `\`ledger ${name}\` does not exist`,
        "it is show, verify, checkpoint, prove, export or adopt",
      );
    noWords(name === "prove" ? words.slice(1) : words);
    noOtherFlags(ledger, name, invocation.flags);
    return withGate(invocation, undefined, (gate) => readable(subcommand)(gate, { ...invocation, words }));
  },
};

/** What can't be read is broken, and `verify` knows more about it. */
const readable =
  (subcommand: Subcommand): Subcommand =>
  async (gate, invocation) => {
    try {
      return await subcommand(gate, invocation);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      sayUnusable(error, invocation);
      return EXIT.ledgerBroken;
    }
  };

function sayUnusable(error: unknown, { flags, terminal }: Invocation): void {
  const { message: reason, cause } = error instanceof Error ? error : new Error(String(error));
  const message = `the ledger can't be used: ${visibleLine(reason)}`;
  // Who refused it knows what to do.
  const hint = (cause as Partial<Refusal> | undefined)?.hint ?? "`toolgate ledger verify` says what is wrong";
  const { err, paint } = terminal;
  if (flags["json"]) showRefusal({ code: "LEDGER_UNAVAILABLE", stage: "journal", message, hint }, flags, terminal);
  else err(`${paint("red", "error")} ${message}\n  ${paint("cyan", "hint")} ${hint}\n`);
}

async function show(gate: Gate, { flags, terminal }: Invocation): Promise<number> {
  const { call, last } = flags;
  const count = wholeNumber(last ?? String(SHOWN_ENTRIES), "--last");
  const size = gate.ledger.size();
  const entries =
    typeof call === "string"
      ? gate.ledger.entriesOf(call).slice(last === undefined ? 0 : -count)
      : gate.ledger.entries({ from: Math.max(1, size - count + 1), to: size });
  let shown = 0;
  for (const entry of entries) {
    terminal.out(flags["json"] ? `${visibleJson(entry)}\n` : `${entryLine(entry)}\n`);
    shown++;
  }
  if (shown === 0 && typeof call === "string")
    throw new UsageError(`no entry is about the call ${quoted(call)}`, "`toolgate ledger show` lists the last entries");
  if (shown === 0) terminal.err("there are no such entries\n");
  return EXIT.ok;
}

async function exportAll(gate: Gate, { terminal }: Invocation): Promise<number> {
  for (const entry of gate.ledger.entries({ from: 1, to: Number.MAX_SAFE_INTEGER })) {
    terminal.out(`${visibleJson(entry)}\n`);
    if (entry.seq % ENTRIES_PER_TURN !== 0) continue;
    await setImmediate(); // a reader that has gone away is noticed between two turns
    if (!terminal.isOutOpen()) break;
  }
  return EXIT.ok;
}

async function checkpoint(gate: Gate, { flags, terminal }: Invocation): Promise<number> {
  const made = await gate.ledger.checkpoint();
  const last = made ?? gate.ledger.lastCheckpoint();
  terminal.out(
    flags["json"]
      ? `${visibleJson({ new: made !== null, ...(last ?? { size: 0 }) })}\n`
      : `${checkpointLine(made, last)}\n`,
  );
  return EXIT.ok;
}

function checkpointLine(made: Checkpoint | null, last: Checkpoint | null): string {
  if (last === null) return "there is nothing to sign yet: the first call makes the first entries";
  const signed = `signed ${last.size} entries  root ${last.root}  key ${last.key}`;
  return made === null ? `nothing new since the last checkpoint, of ${last.at}: ${signed}` : signed;
}

/** What stands in it counts from now on: approvals, sessions, calls that wait. */
async function adopt(gate: Gate, { flags, terminal }: Invocation): Promise<number> {
  const size = gate.ledger.size();
  if (size === 0) throw new UsageError("there is no ledger to take over here", "a new one is made with the first call");
  if (!flags["yes"]) {
    if (!terminal.isInteractive) throw new UsageError("taking it over needs a person at a terminal", "or say `--yes`");
    const asked = `take over the ${size} entries that lie here, with the sessions and approvals in them? [y/N] `;
    if (!isYes(await terminal.question(asked))) {
      terminal.err("not taken over\n");
      return OUTCOME_EXIT.refused;
    }
  }
  gate.ledger.adopt();
  terminal.out(flags["json"] ? `${visibleJson({ adopted: size })}\n` : `taken over: ${size} entries\n`);
  return EXIT.ok;
}

async function prove(gate: Gate, { words, terminal }: Invocation): Promise<number> {
  const seq = wholeNumber(words[0] ?? "", "the entry's number");
  const proof = await gate.ledger.prove(seq);
  if (proof === null) {
    const size = gate.ledger.size();
    if (seq > size)
      throw new UsageError(`there is no entry ${seq}: the ledger has ${size}`, "`toolgate ledger show` lists the last");
    throw new UsageError(`no checkpoint covers the entry ${seq} yet`, "`toolgate ledger checkpoint` makes one");
  }
  terminal.out(`${visibleJson(proof)}\n`);
  return EXIT.ok;
}

/** The hash of the rules says something where they were loaded; of each call it only takes up the line. */
function entryLine({ seq, at, kind, callId, body }: Entry): string {
  const what = [
    "tool",
    "decision",
    "answer",
    "outcome",
    "code",
    "ruleId",
    "message",
    "who",
    "rulesHash",
    "blob",
    "expires",
  ]
    .filter((name) => name !== "rulesHash" || kind !== "tool.decided")
    .map((name) => body[name])
    .filter((value) => typeof value === "string");
  return visibleLine(`${String(seq).padStart(6)}  ${at}  ${kind.padEnd(17)}  ${callId ?? "-"}  ${what.join("  ")}`);
}

function wholeNumber(text: string | boolean, what: string): number {
  if (typeof text !== "string" || !/^[1-9]\d{0,15}$/.test(text))
    throw new UsageError(`${what} has to be a whole number above 0`);
  return Number(text);
}
