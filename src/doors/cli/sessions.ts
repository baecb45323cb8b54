import { resolve } from "node:path";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import type { Gate, LeaseSource, SessionInfo } from "../../wiring/gate.ts";
import { leaseFromFile } from "../../wiring/lease-file.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { ownSession } from "./own-session.ts";
import { type FilePlace, showRefusal } from "./show-refusal.ts";
import { sessionLine } from "./show-session.ts";
import { withGate } from "./with-gate.ts";

type Subcommand = (gate: Gate, invocation: Invocation) => Promise<number>;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  open,
  list,
  renew,
  close: ending("close"),
  revoke: ending("revoke"),
};

export const sessions: Command = {
  name: "sessions",
  usage: "sessions open --lease FILE | list | renew ID | close ID | revoke ID",
  summary: "give an agent a token, bound by a lease, and take it back",
  details:
    "open       prints the token, once: it is kept nowhere. The lease says what its holder may do, until when and how much\n" +
    "list       open sessions; the first is your own, which is bound by nothing but your rules\n" +
    "renew ID   a new end (--for 8h), or a lease that grants less (--lease FILE); never one that grants more\n" +
    "close ID   its holder is done\n" +
    "revoke ID  takes the lease back, with those of all sessions below it; calls that wait for an answer are refused\n" +
    "A lease is YAML or JSON: tools, read, write, hosts, commands, models (a list, or the word `everything`; left out means\n" +
    "none), `for: 8h` or `expires: 2026-01-31T18:00:00Z` (left out: a day; null: no end), and a `budget` of calls, timeMs,\n" +
    "tokens, costMicros and bytes (null or left out: unlimited).\n" +
    "With a token in TOOLGATE_TOKEN `list` shows that session alone, and the rest is refused.\n" +
    "Exit code: 0, or 3 when it is refused.",
  examples: [
    "toolgate sessions open --lease lease.yaml --label reviewer",
    "toolgate sessions open --lease part.yaml --parent session_0192… --json",
    "toolgate sessions list",
    "toolgate sessions renew session_0192… --for 8h",
    'toolgate sessions revoke session_0192… --reason "the laptop is lost"',
  ],
  subcommands: Object.keys(SUBCOMMANDS),
  flags: {
    lease: { type: "string", of: ["open", "renew"], means: "the file that says what is granted", value: "file" },
    label: { type: "string", of: ["open"], means: "a name for people" },
    parent: { type: "string", of: ["open"], means: "the id of the session that it may do no more than" },
    for: { type: "string", of: ["renew"], means: "how long from now, like `30m`, `8h` or `7d`" },
    reason: { type: "string", of: ["close", "revoke"], means: "why, for the ledger" },
  },
  agents: ["", "list"],
  run: async (invocation) => {
    const [name = "list", ...words] = invocation.words;
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (!subcommand)
      throw new CommandLineError(`\`sessions ${name}\` does not exist`, "it is open, list, renew, close or revoke");
    noWords(name === "list" || name === "open" ? words : words.slice(1));
    noOtherFlags(sessions, name, invocation.flags);
    return withGate(invocation, undefined, (gate) => subcommand(gate, { ...invocation, words }));
  },
};

async function open(gate: Gate, { flags, terminal, cwd }: Invocation): Promise<number> {
  const { lease: file, label, parent } = flags;
  if (typeof file !== "string")
    throw new CommandLineError("no lease is named", "`toolgate sessions open --lease FILE`");
  const { source, placeOf } = leaseIn(file, cwd);
  const opened = await gate.sessions.open(source, {
    ...(typeof label === "string" && { label }),
    ...(typeof parent === "string" && { parent: { id: parent, isOpened: true as const } }),
  });
  if (opened.kind === "refused") {
    showRefusal(opened.refusal, flags, terminal, placeOf);
    return OUTCOME_EXIT.refused;
  }
  const { session, token } = opened;
  const info = await gate.sessions.find(session.id);
  if (flags["json"]) terminal.out(`${visibleJson({ session: info, token })}\n`);
  else {
    if (info !== null) terminal.err(`${sessionLine(info)}\nThis is its token; it is shown once:\n`);
    terminal.out(`${token}\n`);
  }
  return EXIT.ok;
}

async function list(gate: Gate, invocation: Invocation): Promise<number> {
  const { flags, terminal } = invocation;
  const own = await ownSession(gate, invocation);
  if ("refusal" in own) return await invocation.refuse(own.refusal);
  if (own.session !== undefined) {
    const info = await gate.sessions.find(own.session.id);
    if (info !== null) terminal.out(flags["json"] ? `${visibleJson(info)}\n` : `${sessionLine(info)}\n`);
    return EXIT.ok;
  }
  let after: string | undefined;
  for (;;) {
    const page: readonly SessionInfo[] = await gate.sessions.list(after === undefined ? {} : { after });
    for (const info of page) terminal.out(flags["json"] ? `${visibleJson(info)}\n` : `${sessionLine(info)}\n`);
    after = page.findLast(({ kind }) => kind === "opened")?.id;
    if (after === undefined) return EXIT.ok;
  }
}

async function renew(gate: Gate, { flags, terminal, cwd, words }: Invocation): Promise<number> {
  const { lease: file, for: duration } = flags;
  if (typeof file !== "string" && typeof duration !== "string")
    throw new CommandLineError(
      "neither a time nor a lease is given",
      "name a time with `--for 8h`, or a smaller lease with `--lease FILE`",
    );
  const read = typeof file === "string" ? leaseIn(file, cwd) : null;
  const renewed = await gate.sessions.renew(idIn(words), renewedTo(read, duration));
  return show(renewed, { flags, terminal }, read?.placeOf);
}

/** What is no lease stays none, also with an end: an empty file would be taken for a lease that changes nothing. */
function renewedTo(read: LeaseIn | null, duration: string | boolean | undefined): LeaseSource {
  const source = read === null ? {} : read.source;
  return typeof duration === "string" && isJsonObject(source as JsonValue) ? { ...source, for: duration } : source;
}

function ending(how: "close" | "revoke"): Subcommand {
  return async (gate, { flags, terminal, words }) => {
    const { reason } = flags;
    return show(await gate.sessions[how](idIn(words), typeof reason === "string" ? { reason } : {}), {
      flags,
      terminal,
    });
  };
}

function show(
  changed: Awaited<ReturnType<Gate["sessions"]["renew"]>>,
  { flags, terminal }: Pick<Invocation, "flags" | "terminal">,
  placeOf?: LeaseIn["placeOf"],
): number {
  if (changed.kind === "refused") {
    showRefusal(changed.refusal, flags, terminal, placeOf);
    return OUTCOME_EXIT.refused;
  }
  terminal.out(flags["json"] ? `${visibleJson(changed.session)}\n` : `${sessionLine(changed.session)}\n`);
  return EXIT.ok;
}

function idIn([id]: readonly string[]): string {
  if (id === undefined) throw new CommandLineError("no session is named", "`toolgate sessions list` shows their ids");
  return id;
}

interface LeaseIn {
  readonly source: LeaseSource;
  readonly placeOf: (field: string) => FilePlace;
}

/** What is no lease is said by whoever opens the session. */
function leaseIn(file: string, cwd: string): LeaseIn {
  const read = leaseFromFile(resolve(cwd, file));
  if (read.ok)
    return { source: read.value as JsonValue as LeaseSource, placeOf: (field) => ({ file, ...read.placeOf(field) }) };
  const [problem] = read.problems;
  const place = problem === undefined ? file : `${file}:${problem.line}:${problem.column}`;
  throw new UsageError(`the lease ${visibleLine(place)}: ${problem?.message ?? "can't be read"}`, problem?.hint);
}
