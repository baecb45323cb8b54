import { parse } from "unbash";
import type { Word } from "../domain/touch.ts";
import { STARTERS } from "./carriers.ts";
import { operandsOf, withHazards } from "./hazards.ts";
import type { Profile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";
import { staticText } from "./static-text.ts";

const NONE: readonly (readonly Word[])[] = [];
const STARTS_MAX = 50;

/** A command that is what it says: its words, with the hazards among them, and the files that it opens for sure. */
export function readProgram(reader: ScriptReader, candidate: Candidate, name: string, marked = candidate.argv): void {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  const argv = profile === undefined ? marked : withHazards(profile, marked);
  const starts = STARTERS.has(name) ? possibleCommands(argv) : NONE;
  const { external } = candidate;
  const { env, via } = reader.outer;
  reader.add({
    argv,
    env: env.length === 0 ? candidate.env : [...env, ...candidate.env],
    folders: reader.folders,
    external,
    via: via.length === 0 ? candidate.via : [...via, ...candidate.via],
    starts,
  });
  if (profile?.files !== undefined) readOperands(reader, profile, argv);
}

function readOperands(reader: ScriptReader, profile: Profile, argv: readonly Word[]): void {
  const { kind = "read" } = profile.files ?? {};
  for (const at of operandsOf(profile, argv)) {
    const word = argv[at] as Word;
    if (word.known && word.text !== "-")
      reader.files.push({ kind, path: word.text, folders: reader.folders, by: "operand" });
    else if (!word.known && kind === "write")
      reader.say(`a file is written whose name is known only at run time: \`${word.text}\``);
  }
}

/** Every word that may begin a command, and every text that may be one. More than there are, never less. */
function possibleCommands(argv: readonly Word[]): readonly (readonly Word[])[] {
  const starts: (readonly Word[])[] = [];
  for (let at = 1; at < argv.length && starts.length < STARTS_MAX; at++) {
    const word = argv[at] as Word;
    if (!word.known) continue;
    if (!word.text.startsWith("-")) starts.push(plain(argv.slice(at)));
    if (/[\s=:!]/.test(word.text))
      starts.push(...wordsInText(word.text.replace(/^[^\s]*[=!:]/, "")), ...wordsInText(word.text));
  }
  return starts.slice(0, STARTS_MAX);
}

/** For comparing only: hazards belong to the command that is run. */
const plain = (words: readonly Word[]): readonly Word[] => words.map(({ text, known }) => ({ text, known }));

function wordsInText(text: string): readonly (readonly Word[])[] {
  const found: (readonly Word[])[] = [];
  for (const { command } of parse(text.slice(0, 4096)).commands) {
    const simple = command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
    for (const one of simple) {
      if (one.type !== "Command" || one.name === undefined) continue;
      const words = [one.name, ...one.args.filter((part) => part.type === "Word")];
      found.push(
        words.map((word) => ({ text: staticText(word.text) ?? word.text, known: staticText(word.text) !== null })),
      );
    }
  }
  return found;
}
