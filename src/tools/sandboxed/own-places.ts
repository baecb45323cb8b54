import { posix } from "node:path";
import { isWithin } from "../../domain/is-within.ts";
import type { SandboxReport } from "../../domain/sandbox-report.ts";
import { type FileTouch, isFileTouch, type Touch, type Word } from "../../domain/touch.ts";
import { OWN_HOME, OWN_TMP } from "../../ports/sandbox.ts";
import { onlyShows } from "../../rules/command-risk.ts";
import type { FoundFile, Reading } from "../../shell/reading.ts";

/** Facts about the kernel, the same for every program. Not what `/proc` says of single processes. */
const FACTS =
  /^\/proc\/(?:cpuinfo|meminfo|loadavg|uptime|version|stat|vmstat|filesystems|cmdline|partitions|diskstats|swaps|devices|interrupts|modules|net\/\w+|sys(?:\/\w+)+)$/;

/**
 * Which files of a command are in the sandbox's own `/tmp`, home and `/proc`. Told by the letters of the path: the folders begin
 * empty, so that no link leads out of them, and a path with `..` is left to the machine. A workspace below `/tmp` is mounted there.
 */
export function ownPathsIn({ backend }: SandboxReport, workspace: string, cwd: string) {
  if (backend !== "namespaces") return () => null;
  return ({ kind, path, below }: Pick<FoundFile, "kind" | "path" | "below">, folder: string): string | null => {
    const from = path.startsWith("/") ? "" : folder.startsWith("/") ? folder : `${cwd}/${folder}`;
    const full = below === undefined ? `${from}/${path}` : `${FOLDERS[below.variable]}/${below.rest}`;
    const steps = full.split("/").filter((step) => step !== "" && step !== ".");
    if (steps.includes("..")) return null;
    const plain = `/${steps.join("/")}`;
    if (kind === "read" && FACTS.test(plain)) return plain;
    const isOwn = [OWN_TMP, OWN_HOME].some((own) => plain !== own && isWithin(plain, own));
    if (kind !== "read" && (isObeyed(plain) || isFoundFromBelow(plain, workspace))) return null;
    return isOwn && !isWithin(plain, workspace) && !isWithin(workspace, plain) ? plain : null;
  };
}

/** Settings that other programs obey: `~/.gitconfig`, `/tmp/.git`. In the home only files that lie directly in it are surely none. */
const isObeyed = (path: string): boolean =>
  isWithin(path, OWN_HOME) ? !/^\/[A-Za-z0-9][^/]*$/.test(path.slice(OWN_HOME.length)) : path.includes("/.");

/** Programs look for their settings in the folders above them too: `/tmp/package.json` is found from a workspace in `/tmp`. */
const isFoundFromBelow = (path: string, workspace: string): boolean =>
  isWithin(workspace, posix.dirname(path)) && !PLAIN_OUTPUT.test(posix.basename(path));

const PLAIN_OUTPUT = /^(?!.*file$)[a-z0-9_-]+(?:\.(?:txt|log|out|err|diff|patch|csv|tsv))?$/;

/**
 * What the shell writes to such a folder may be code, which a program of the same command runs that is given its name, or works
 * there. Nobody has judged that code: then a person has to.
 */
export function withCodeAsked(
  touches: Touches,
  { commands }: Reading,
  { cwd, workspace }: { readonly cwd: string; readonly workspace: string },
): Touches {
  if (!touches.some(isOwnWrite)) return touches;
  const isThere = (folder: string): boolean => {
    const path = posix.resolve(cwd, folder);
    return [OWN_TMP, OWN_HOME].some((own) => isWithin(path, own)) && !isWithin(path, workspace);
  };
  const runner = commands.find(({ argv, env, via, folders }) => {
    if (onlyShows(argv, env)) return false;
    const words = [...argv, ...env, ...via.flat()];
    return words.some(namesOwn) || folders === null || folders.some(isThere);
  });
  if (runner === undefined) return touches;
  const name = runner.argv[0]?.text ?? "";
  const asked = (touch: Touch): Touch =>
    isOwnWrite(touch)
      ? { kind: "unknown", reason: `\`${name}\` may run or obey \`${touch.path}\`, which is written before` }
      : touch;
  const [first, ...rest] = touches;
  return [asked(first), ...rest.map(asked)];
}

type Touches = readonly [Touch, ...Touch[]];

const isOwnWrite = (touch: Touch): touch is FileTouch =>
  isFileTouch(touch) && touch.own === true && touch.kind === "write";
const namesOwn = ({ text, known }: Word): boolean => !known || /tmp|\.home|~|HOME|TMPDIR/.test(text);

const FOLDERS = { HOME: OWN_HOME, TMPDIR: OWN_TMP } as const;
