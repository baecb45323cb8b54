import { LIMITS } from "../domain/limits.ts";
import { assignedBy } from "./assigned-by.ts";
import { BUILTINS } from "./builtins.ts";
import { type Carried, type Carrier, carried } from "./carrier.ts";
import { CARRIERS } from "./carriers.ts";
import { INTERPRETERS } from "./interpreters.ts";
import type { Meaning } from "./meaning.ts";
import { MORE_INTERPRETERS } from "./more-interpreters.ts";
import { PROFILES } from "./profiles.ts";
import { ALIASES, programName } from "./program-name.ts";
import { readAwk, readSed } from "./read-code.ts";
import { CONSOLES, readConsole } from "./read-console.ts";
import { readEnv } from "./read-env.ts";
import { readFind } from "./read-find.ts";
import { readInterpreter } from "./read-interpreter.ts";
import { readProgram } from "./read-program.ts";
import { readShell } from "./read-shell.ts";
import { readUnread } from "./read-unread.ts";
import { readXargs } from "./read-xargs.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";

const CARRIERS_MAX = LIMITS.shellCarriers.default;

/** Programs that take more than a table to understand. */
const OWN_READERS: Readonly<Record<string, Meaning>> = {
  env: readEnv,
  xargs: readXargs,
  find: readFind,
  awk: readAwk,
  sed: readSed,
  bash: (reader, candidate) => readShell(reader, candidate, "bash"),
  sh: (reader, candidate) => readShell(reader, candidate, "sh"),
  dash: (reader, candidate) => readShell(reader, candidate, "sh"),
  ash: (reader, candidate) => readShell(reader, candidate, "sh"),
};

/** Every program that is more than its words, by the name that `programName` gives it. */
const READERS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...Object.entries({ ...INTERPRETERS, ...MORE_INTERPRETERS }).map(([name, interpreter]): [string, Meaning] => [
    name,
    (reader, candidate) => readInterpreter(reader, candidate, interpreter, name),
  ]),
  ...Object.entries(CARRIERS).map(([name, carrier]): [string, Meaning] => [
    name,
    (reader, candidate) => readCarrier(reader, candidate, carrier, name),
  ]),
  ...Object.keys(CONSOLES).map((name): [string, Meaning] => [
    name,
    (reader, candidate) => readConsole(reader, candidate, name),
  ]),
  ...Object.entries(OWN_READERS),
]);

/** Some machines have programs of these names, which do what the builtin does. */
const ALSO_PROGRAMS: ReadonlySet<string> = new Set(["command", "eval", "exec", "builtin", "source", ".", "trap"]);

/** How a command of this name is read where no builtin is meant. */
interface Known {
  readonly builtin: Meaning | null;
  readonly external: Meaning;
}

const byProgram =
  (name: string): Meaning =>
  (reader, candidate) =>
    readProgram(reader, candidate, name);

/** By the first word as it is written: one look for all the tables, which is all that most commands take. */
const KNOWN: ReadonlyMap<string, Known> = new Map(
  [...BUILTINS.keys(), ...READERS.keys(), ...PROFILES.keys(), ...ALIASES.keys()].map((word): [string, Known] => {
    const name = programName(word);
    const external = READERS.get(name) ?? byProgram(name);
    return [word, { builtin: BUILTINS.get(word) ?? null, external }];
  }),
);

/** What a command really runs: itself, or what it carries, or both. */
export function interpret(reader: ScriptReader, candidate: Candidate): void {
  const first = candidate.argv[0];
  if (first === undefined) return;
  if (!first.known) return void reader.say(`a command is known only at run time: \`${first.text}\``);
  if (candidate.depth > CARRIERS_MAX) return void reader.giveUp(`a command is behind more than ${CARRIERS_MAX} others`);
  const known = KNOWN.get(first.text);
  if (known === undefined) return void interpretProgram(reader, candidate, programName(first.text));
  const isBuiltin = known.builtin !== null && (!candidate.external || ALSO_PROGRAMS.has(first.text));
  (isBuiltin ? (known.builtin as Meaning) : known.external)(reader, candidate, interpret);
}

/** By a path, with a version in its name, or one of which nothing is known. */
function interpretProgram(reader: ScriptReader, candidate: Candidate, name: string): void {
  const read = READERS.get(name);
  if (read === undefined) readProgram(reader, candidate, name);
  else read(reader, candidate, interpret);
}

function readCarrier(reader: ScriptReader, candidate: Candidate, carrier: Carrier, name: string): void {
  const { argv, env, via, stdin, depth } = candidate;
  const split = carried(carrier, argv);
  if (typeof split === "string") return void readUnread(reader, candidate, name, split);
  const isAlone = split.rest.length === 0 || (split.options.size > 0 && isWithout(carrier, split));
  if (isAlone || carrier.mode === "both") readProgram(reader, candidate, name);
  if (split.rest.length === 0 && carrier.shell === true)
    reader.say(`\`${name}\` starts a shell, which reads its commands from a pipe or file`);
  if (isAlone) return;
  if (split.skipped.some((word) => word.many === true)) reader.say("where a command begins is known only at run time");
  // A program that ends its life in another folder, root or user takes the command along.
  const set = split.assignments.flatMap((word) => assignedBy(reader, word));
  const own = { argv: split.rest, env: [...env, ...set], external: true, stdin, depth: depth + 1 };
  interpret(reader, { ...own, via: carrier.mode === "through" ? [...via, argv] : via });
}

/** Whether an option says that there is no command. */
const isWithout = ({ alone = "" }: Carrier, { options }: Carried): boolean =>
  [...alone].some((letter) => options.has(letter));
