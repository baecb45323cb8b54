import { spawn } from "node:child_process";
import { once } from "node:events";
import { BUILT_PROGRAM } from "./built-program.ts";
import type { Cli } from "./run-cli.ts";

/** Of util-linux. */
const PSEUDO_TERMINAL = "script";

/** The real program in a real terminal (util-linux `script` makes the pseudo-terminal), and a person typing. */
export interface TypedTerminal {
  /** Waits until the screen has shown this text. */
  readonly shows: (part: string) => Promise<void>;
  readonly screen: () => string;
  readonly types: (keys: string) => void;
  /** Closes the window. */
  readonly closes: () => void;
  /** The exit code, and all that the screen has shown. */
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>;
}

export function openTerminal(cli: Cli, args: readonly string[], more: TerminalOptions = {}): TypedTerminal {
  const program = [process.execPath, BUILT_PROGRAM, ...args].map(quoted).join(" ");
  const command = `${more.before ?? ""} exec ${program}${more.redirect ?? ""}`;
  const child = spawn(PSEUDO_TERMINAL, ["-qefc", command, "/dev/null"], {
    cwd: cli.workspace,
    env: { ...cli.env, SHELL: "/bin/sh", ...more.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    child.stdout.emit("shown");
  });
  child.stdin.on("error", () => {}); // the window may be gone before the last key
  const closed = once(child, "close");
  return {
    shows: async (part) => {
      while (!screen.includes(part)) {
        const ended = await Promise.race([once(child.stdout, "shown").then(() => false), closed.then(() => true)]);
        if (ended && !screen.includes(part)) throw new Error(`ended without \`${part}\`: ${JSON.stringify(screen)}`);
      }
    },
    screen: () => screen,
    types: (keys) => void child.stdin.write(keys),
    closes: () => void child.kill("SIGKILL"),
    ended: closed.then(([code]) => ({ code, screen })),
  };
}

export interface TerminalOptions {
  /** Such as `>out`: the rest of the command line, for the shell. */
  readonly redirect?: string;
  /** Such as `echo $$;`: for the shell as well. */
  readonly before?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
