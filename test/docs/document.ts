import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILT_PROGRAM } from "../support/built-program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What stands in a page's code blocks, in its order. */
export type Step =
  /** ```lang name: a file. */
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  /** A line of ```console that begins with `$ `, and what is printed. */
  | { readonly kind: "command"; readonly command: string; readonly expected: string };

export function stepsIn(page: string): readonly Step[] {
  return [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].flatMap(([, language, name, text = ""]): Step[] => {
    if (name !== undefined) return [{ kind: "file", name, text }];
    return language === "console" ? commandsIn(text) : [];
  });
}

const commandsIn = (block: string): Step[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.trimEnd().split("\n");
      return { kind: "command", command, expected: output.join("\n") };
    });

/** `…` stands for anything; as a line of its own, for any lines. */
export const pattern = (expected: string): RegExp =>
  new RegExp(`^${expected.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[^]*?")}\\s*$`);

/** A folder to try a page in. */
export interface Sandpit extends Disposable {
  readonly put: (name: string, text: string) => void;
  /** What is printed, on stdout and stderr. */
  readonly run: (command: string) => string;
}

const PROGRAMS = 'npx() { shift; "$NODE" "$TOOLGATE" "$@"; }; node() { "$NODE" "$@"; };';

/** `more`: what its programs find in their environment. */
export function openSandpit(more: Readonly<Record<string, string>> = {}): Sandpit {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-docs-"));
  const workspace = join(folder, "ws");
  mkdirSync(workspace);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  // The providers' packages, which readers of the guide have installed.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const env = {
    ...process.env,
    ...more,
    XDG_STATE_HOME: join(folder, "state"),
    NO_COLOR: "1",
    NODE: process.execPath,
    TOOLGATE: BUILT_PROGRAM,
  };
  return {
    put: (name, text) => {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(
        join(workspace, name),
        text
          .replaceAll('from "toolgate"', `from ${JSON.stringify(join(ROOT, "src/index.ts"))}`)
          .replaceAll('from "toolgate/client"', `from ${JSON.stringify(join(ROOT, "src/client/index.ts"))}`)
          .replaceAll('from "toolgate/atip"', `from ${JSON.stringify(join(ROOT, "src/doors/atip/index.ts"))}`)
          .replaceAll('from "toolgate/apm2"', `from ${JSON.stringify(join(ROOT, "src/doors/rpc/index.ts"))}`),
      );
    },
    run: (command) =>
      spawnSync("bash", ["-c", `${PROGRAMS} ${command} 2>&1`], { cwd: workspace, encoding: "utf8", env }).stdout,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
