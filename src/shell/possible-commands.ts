import type { Word } from "../domain/touch.ts";
import { parseBash } from "./parse-bash.ts";
import { readScript } from "./read-script.ts";
import { staticText } from "./static-text.ts";

/** Programs that start what they are given somewhere else, or under another name. Rules that allow have to name them. */
export const STARTING_PROGRAMS: ReadonlySet<string> = new Set(
  `busybox toybox ssh docker podman nerdctl kubectl oc lxc incus machinectl systemd-run systemd-nspawn npx bunx uvx pipx
  watch parallel script entr expect tmux screen su runcon sg start-stop-daemon run-parts flatpak-spawn distrobox toolbox
  nix-shell wine gdb lldb rr pkexec capsh mosh autossh sshpass dsh pdsh ansible vagrant adb socat nc ncat`.split(/\s+/),
);

/** Helpers that add something to the command they are given: a limit, a user, a terminal. */
const HELPERS: ReadonlySet<string> = new Set(
  `chronic ifne chpst softlimit setuidgid cgexec numactl cpulimit eatmydata cross-env dotenv powerprofilesctl faketime setarch
  linux32 linux64 i386 x86_64 uname26 choom uclampset aa-exec sem tini dumb-init gosu su-exec dtach abduco daemonize hyperfine
  ssh-agent gpg-agent dbus-launch watchexec nodemon concurrently`.split(/\s+/),
);

/** Those that start what stands behind one of their words, and do something of their own behind others. */
const BEHIND: ReadonlyMap<string, RegExp> = new Map([
  ...`poetry pipenv uv bundle conda mamba rbenv pyenv mise asdf hatch pdm rye direnv ip`
    .split(" ")
    .map((name): [string, RegExp] => [name, /^(?:run|exec)$/]),
  ...`npm pnpm yarn bun corepack`.split(" ").map((name): [string, RegExp] => [name, /^(?:exec|x|dlx|explore)$/]),
]);

const POSSIBLE_MAX = 50;
const TEXT_MAX = 4096;
/** Where there is more than is looked at: whatever a rule names may be among it. */
const ANYTHING: readonly Word[] = [
  { text: "…", known: false },
  { text: "…", known: false, many: true },
];

/**
 * What a command may start, for rules that deny or ask: every word of a starter that may begin a command, and every text
 * that may be one. More than there are, never less.
 */
export function possibleCommands(argv: readonly Word[]): readonly (readonly Word[])[] {
  const first = argv[0]?.text ?? "";
  const name = first.includes("/") ? first.slice(first.lastIndexOf("/") + 1) : first;
  const from = firstPossible(name, argv);
  if (from === 0) return NONE;
  const found: (readonly Word[])[] = [];
  for (let at = 1; at < argv.length; at++) {
    if (found.length >= POSSIBLE_MAX) return [...found, ANYTHING];
    const { text, known } = argv[at] as Word;
    if (!known) continue;
    const mayBegin = at >= from || text.startsWith("-");
    // `--exec=ls`, `ProxyCommand=ls`: a value may be a command as well.
    for (const begun of new Set([text, text.slice(text.indexOf("=") + 1)])) {
      if (mayBegin && !begun.startsWith("-")) found.push([{ text: begun, known }, ...argv.slice(at + 1)]);
      if (/\s/.test(begun)) found.push(...commandsIn(begun));
    }
  }
  return found;
}

const NONE: readonly (readonly Word[])[] = [];

/** The first word that may begin a command, beside options; 0 = none may. */
function firstPossible(name: string, argv: readonly Word[]): number {
  if (STARTING_PROGRAMS.has(name) || HELPERS.has(name)) return 1;
  const behind = BEHIND.get(name);
  // What is known only at run time may be the word that it stands behind.
  return behind === undefined ? 0 : argv.findIndex(({ text, known }) => !known || behind.test(text)) + 1;
}

/** With what is behind other commands in it, and with those that these may start. */
function commandsIn(text: string): readonly (readonly Word[])[] {
  if (text.length > TEXT_MAX) return [ANYTHING];
  const { commands, tooComplex } = readScript(text);
  if (tooComplex !== null) return [ANYTHING];
  const read = commands.flatMap(({ argv, via }) => [argv, ...via, ...possibleCommands(argv)]);
  return [...read, ...firstCommands(text)];
}

/** Those whose first word is known only at run time are no commands to the reader: here they may be what a rule names. */
function firstCommands(text: string): readonly (readonly Word[])[] {
  const found: (readonly Word[])[] = [];
  for (const { command } of parseBash(text).commands) {
    const simple = command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
    for (const one of simple) {
      if (one.type !== "Command" || one.name === undefined) continue;
      const words = [one.name, ...one.args.filter((part) => part.type === "Word")];
      found.push(words.map(({ text: raw }) => ({ text: staticText(raw) ?? raw, known: staticText(raw) !== null })));
    }
  }
  return found;
}
