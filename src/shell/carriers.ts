import type { Carrier } from "./carrier.ts";

/** By the program's name. `env`, `xargs`, `find`, shells and interpreters have readers of their own. */
export const CARRIERS: Readonly<Record<string, Carrier>> = {
  nice: { mode: "through", values: "n", longValues: "--adjustment", numbers: true },
  nohup: { mode: "through" },
  setsid: { mode: "through", flags: "cfw", longFlags: "--ctty --fork --wait" },
  timeout: {
    mode: "through",
    flags: "v",
    values: "ks",
    longFlags: "--foreground --preserve-status --verbose",
    longValues: "--kill-after --signal",
    skip: 1,
  },
  stdbuf: { mode: "through", values: "ioe", longValues: "--input --output --error" },
  ionice: {
    mode: "through",
    flags: "t",
    values: "cn",
    longFlags: "--ignore",
    longValues: "--class --classdata",
    alone: "pPu",
  },
  chrt: { mode: "through", flags: "abdfiorRvm", skip: 1, alone: "pm" },
  taskset: { mode: "through", flags: "c", longFlags: "--cpu-list", skip: 1, alone: "p" },
  time: { mode: "through", flags: "pv", longFlags: "--portability --verbose" },
  caffeinate: { mode: "through", flags: "dimsu", values: "t" },
  catchsegv: { mode: "through" },
  sudo: {
    mode: "both",
    flags: "nEHSkKbPA",
    values: "ugpCTRDrth",
    longFlags: "--non-interactive --preserve-env --set-home --stdin --reset-timestamp",
    longValues: "--user --group --prompt --chdir --chroot --host --role --type",
    assigns: true,
    alone: "lvV",
  },
  doas: { mode: "both", flags: "n", values: "uC", alone: "L" },
  runuser: { mode: "both", values: "u" },
  setpriv: {
    mode: "both",
    longFlags: "--no-new-privs --clear-groups --keep-groups --init-groups --reset-env",
    longValues: "--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits --pdeathsig",
  },
  chroot: { mode: "both", longValues: "--userspec --groups", longFlags: "--skip-chdir", skip: 1 },
  unshare: {
    mode: "both",
    flags: "muinpCUTrfc",
    longFlags: "--mount --uts --ipc --net --pid --user --fork --map-root-user --mount-proc --map-current-user",
  },
  nsenter: {
    mode: "both",
    flags: "amuinpCUTF",
    values: "tSG",
    longFlags: "--all --mount --uts --ipc --net --pid --user",
    longValues: "--target",
  },
  strace: { mode: "both", flags: "fFcCqtrTvxyiDdhkw", values: "eopsaEbIOPSuX" },
  ltrace: { mode: "both", flags: "fcCStrib", values: "eopsaunADlFx" },
  valgrind: { mode: "both", flags: "qv", longFlags: "--quiet --verbose" },
  perf: { mode: "both", skip: 1 },
  flock: {
    mode: "both",
    flags: "esxnuoFv",
    values: "wEc",
    longFlags: "--exclusive --shared --nonblock --close --no-fork",
    longValues: "--wait --timeout --conflict-exit-code",
    skip: 1,
  },
  unbuffer: { mode: "both", flags: "p" },
  rlwrap: { mode: "both" },
  fakeroot: { mode: "both" },
  proot: { mode: "both" },
  firejail: { mode: "both" },
  bwrap: { mode: "both" },
  torsocks: { mode: "both" },
  proxychains: { mode: "both" },
  proxychains4: { mode: "both" },
  "dbus-run-session": { mode: "both" },
  "xvfb-run": { mode: "both", flags: "a" },
  "ld.so": { mode: "both" },
  "ld-linux-x86-64.so.2": { mode: "both" },
  "ld-linux-aarch64.so.1": { mode: "both" },
  "ld-musl-x86_64.so.1": { mode: "both" },
};

/**
 * Programs that start what they are given somewhere else, under another name, or in a way of their own: rules name them,
 * and rules that deny or ask hold for whatever of their words could be a command.
 */
export const STARTERS: ReadonlySet<string> = new Set(
  `busybox toybox ssh docker podman nerdctl kubectl oc lxc incus machinectl systemd-run systemd-nspawn npx npm pnpm yarn bunx bun
  deno uvx uv pipx poetry pipenv bundle rbenv pyenv nvm mise asdf direnv nix nix-shell guix flatpak snap go cargo dotnet watch
  parallel script entr expect tmux screen su runcon sg newgrp start-stop-daemon run-parts at batch crontab make ninja just task
  gdb lldb rr osascript open xdg-open emacs vim vi nvim ex ed man less more git hg svn rsync scp sftp curl wget tar zip unzip cpio
  sort split awk gawk mawk nawk sed perl ruby php lua node nodejs python tclsh R Rscript java jshell groovy scala kotlin swift
  ansible vagrant terraform adb socat nc ncat capsh pkexec tee zsh ksh fish csh tcsh mksh rc elvish nu pwsh xonsh wine qemu-x86_64 tsp`.split(
    /\s+/,
  ),
);
