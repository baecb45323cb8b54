import type { Word } from "../domain/touch.ts";
import { readScript } from "./read-script.ts";

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
  for (let at = from; at < argv.length && found.length < POSSIBLE_MAX; at++) {
    const { text, known } = argv[at] as Word;
    if (!known) continue;
    if (!text.startsWith("-")) found.push(argv.slice(at));
    if (/\s/.test(text)) found.push(...commandsIn(text));
  }
  return found;
}

const NONE: readonly (readonly Word[])[] = [];

/** The first word that may begin a command; 0 = none may. */
function firstPossible(name: string, argv: readonly Word[]): number {
  if (STARTING_PROGRAMS.has(name) || HELPERS.has(name)) return 1;
  const behind = BEHIND.get(name);
  return behind === undefined ? 0 : argv.findIndex(({ text }) => behind.test(text)) + 1;
}

/** With what is behind other commands in it, and with those that these may start. */
const commandsIn = (text: string): readonly (readonly Word[])[] =>
  readScript(text.slice(0, 4096)).commands.flatMap(({ argv, via }) => [argv, ...via, ...possibleCommands(argv)]);
