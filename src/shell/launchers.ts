import type { Word } from "../domain/touch.ts";
import { cutShort } from "./cut-short.ts";

/** Programs that start what they are given somewhere else, or under another name. Rules that allow have to name them. */
export const STARTING_PROGRAMS: ReadonlySet<string> = new Set(
  `busybox toybox ssh docker podman nerdctl kubectl oc lxc incus machinectl systemd-run systemd-nspawn npx bunx uvx pipx
  watch parallel script entr expect tmux screen su runcon sg start-stop-daemon run-parts flatpak-spawn distrobox toolbox
  nix-shell wine gdb lldb rr pkexec capsh mosh autossh sshpass dsh pdsh ansible vagrant adb socat nc ncat`.split(/\s+/),
);

/** Helpers that add something to the command they are given: a limit, a user, a terminal, another machine. */
const HELPERS: ReadonlySet<string> = new Set(
  `chronic ifne chpst softlimit setuidgid cgexec numactl cpulimit eatmydata cross-env dotenv powerprofilesctl faketime setarch
  linux32 linux64 i386 x86_64 uname26 choom uclampset aa-exec sem tini dumb-init gosu su-exec dtach abduco daemonize hyperfine
  ssh-agent gpg-agent dbus-launch watchexec nodemon concurrently
  run0 cronic mispipe pee zrun run-one lockrun daemon catatonit envdir envuidgid s6-setuidgid s6-softlimit s6-envdir rlfe
  autoexpect empty trickle torify tsocks fakechroot pseudo schedtool cset cross-env-shell onchange chokidar watchman-make
  wait-for-it checkinstall schroot dchroot openvt ccache distcc sccache icecc bear scan-build intercept-build libtool xcrun
  uftrace ddd cgdb bpftrace dtrace pnpx pkgx rush zargs
  xterm uxterm urxvt rxvt st konsole gnome-terminal xfce4-terminal alacritty kitty foot wezterm xinit startx zellij byobu
  pssh parallel-ssh clush rsh rexec rlogin lxc-attach docker-compose buildah ctr crictl k3s microk8s minikube salt
  box64 box86 logsave msgexec msgfilter`.split(/\s+/),
);

/** An emulator of one program, and not of a whole machine. */
const EMULATOR = /^qemu-(?!system-|img$|io$|nbd$|ga$)/;

/** Words behind which a program starts what it is given; behind others it does something of its own. */
const WORDS_BEFORE: readonly (readonly [programs: string, words: string])[] = [
  [
    `poetry pipenv uv conda mamba micromamba rbenv pyenv asdf hatch pdm rye direnv ip pixi devbox nvm fnm volta dotenvx
    doppler op infisical aws-vault chamber foreman rustup heroku nomad consul flatpak snap dvc`,
    "run exec",
  ],
  ["bundle gem", cutShort("run exec")],
  ["npm", cutShort("exec x explore")],
  ["pnpm yarn bun corepack", "exec x dlx explore"],
  ["mise", "run exec x"],
  ["composer", cutShort("run exec run-script")],
  ["nix", "run shell develop"],
  ["guix", "shell environment time-machine"],
  ["sops", "exec-env exec-file"],
  ["rails", "runner r"],
  ["gcloud flyctl fly", "ssh"],
  ["gum", "spin"],
  ["etcdctl", "watch"],
  ["xdotool", "exec"],
];

/** By the program, how those words look. */
export const BEHIND: ReadonlyMap<string, RegExp> = new Map(
  WORDS_BEFORE.flatMap(([programs, words]) => {
    const pattern = new RegExp(`^(?:${words.replaceAll(" ", "|")})$`);
    return programs.split(/\s+/).map((name): [string, RegExp] => [name, pattern]);
  }),
);

/** They run a module as if it were a program of its name. */
const MODULE_RUNNERS = "python pypy ipython jython micropython".split(" ");

/** How a program launches: by any of its words, by those behind such a word, or by the name of a module. */
type Launching = "any" | "module" | RegExp;

/** One look for all the tables: most programs are in none. */
const LAUNCHING: ReadonlyMap<string, Launching> = new Map<string, Launching>([
  ...MODULE_RUNNERS.map((name): [string, Launching] => [name, "module"]),
  ...BEHIND,
  ...[...STARTING_PROGRAMS, ...HELPERS].map((name): [string, Launching] => [name, "any"]),
]);

/** The first word that may begin a command, beside options; 0 = none may. */
export function launchedFrom(name: string, argv: readonly Word[]): number {
  const launching = LAUNCHING.get(name);
  if (launching === undefined) return name.startsWith("qemu-") && EMULATOR.test(name) ? 1 : 0;
  if (launching === "any") return 1;
  if (launching === "module") return moduleIn(argv);
  // What is known only at run time may be the word that it stands behind.
  return argv.findIndex(({ text, known }) => !known || launching.test(text)) + 1;
}

const WITH_VALUE = /^-[WX]$/;

/** Where the name of a module stands; 0 = there is none. */
function moduleIn(argv: readonly Word[]): number {
  for (let at = 1; at < argv.length; at++) {
    const { text } = argv[at] as Word;
    if (/^-[A-Za-z]*m$/.test(text)) return at + 1;
    if (WITH_VALUE.test(text)) at++;
    else if (!text.startsWith("-")) return 0;
  }
  return 0;
}
