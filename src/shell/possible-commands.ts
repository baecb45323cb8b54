import type { Word } from "../domain/touch.ts";
import { parseBash } from "./parse-bash.ts";
import { staticText } from "./static-text.ts";

/** Programs that start what they are given somewhere else, or under another name. Rules that allow have to name them. */
export const STARTING_PROGRAMS: ReadonlySet<string> = new Set(
  `busybox toybox ssh docker podman nerdctl kubectl oc lxc incus machinectl systemd-run systemd-nspawn npx bunx uvx pipx
  watch parallel script entr expect tmux screen su runcon sg start-stop-daemon run-parts flatpak-spawn distrobox toolbox
  nix-shell wine gdb lldb rr pkexec capsh mosh autossh sshpass dsh pdsh ansible vagrant adb socat nc ncat`.split(/\s+/),
);

/** Those of them that are given text for a shell. */
const WITH_TEXT: ReadonlySet<string> = new Set(
  "ssh su watch script parallel tmux screen expect runcon sg docker podman kubectl npx mosh sshpass nix-shell".split(
    " ",
  ),
);

const POSSIBLE_MAX = 50;

/**
 * What a command may start, for rules that deny or ask: every word of a starter that may begin a command, and every text
 * that may be one. More than there are, never less.
 */
export function possibleCommands(argv: readonly Word[]): readonly (readonly Word[])[] {
  const first = argv[0]?.text ?? "";
  const name = first.includes("/") ? first.slice(first.lastIndexOf("/") + 1) : first;
  if (!STARTING_PROGRAMS.has(name)) return NONE;
  const found: (readonly Word[])[] = [];
  for (let at = 1; at < argv.length && found.length < POSSIBLE_MAX; at++) {
    const { text, known } = argv[at] as Word;
    if (!known) continue;
    if (!text.startsWith("-")) found.push(argv.slice(at));
    if (WITH_TEXT.has(name) && /\s/.test(text)) found.push(...commandsIn(text));
  }
  return found;
}

const NONE: readonly (readonly Word[])[] = [];

function commandsIn(text: string): readonly (readonly Word[])[] {
  const found: (readonly Word[])[] = [];
  for (const { command } of parseBash(text.slice(0, 4096)).commands) {
    const simple = command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
    for (const one of simple) {
      if (one.type !== "Command" || one.name === undefined) continue;
      const words = [one.name, ...one.args.filter((part) => part.type === "Word")];
      found.push(words.map(({ text: raw }) => ({ text: staticText(raw) ?? raw, known: staticText(raw) !== null })));
    }
  }
  return found;
}
