import type { Word } from "../domain/touch.ts";
import { type Carrier, carried } from "./carrier.ts";
import { carrierOf } from "./carrier-of.ts";
import { CODE_TAKERS } from "./code-programs.ts";
import { programName } from "./program-name.ts";
import { STARTERS } from "./starters.ts";

/** Programs to which `--` is nothing, or not what it is to others. */
const WITHOUT_DASHES: ReadonlySet<string> = new Set(
  `openssl ffmpeg ffprobe convert magick identify mogrify composite java javac gcc cc g++ c++ ld as gs sqlite3 duckdb dd expr find
  test [ eval dig nslookup ip stty xmllint xsltproc redis-cli`.split(/\s+/),
);

/** They hand on what follows their own `--` to a program that knows nothing of it. */
const HANDS_ON: ReadonlySet<string> = new Set(["cargo run", "cargo test", "cargo bench"]);

/** Of those that do more than start a command, the ones that hand on all that follows it as it is. Others may take a `--` out. */
const KEEPS_DASHES: ReadonlySet<string> = new Set(
  "sudo doas chroot unshare nsenter strace flock prlimit setpriv busybox npx uvx uv docker podman nerdctl".split(" "),
);

type Words = readonly Word[];

const DEPTH_MAX = 10;

/**
 * Whether the `--` at this place ends the options of the program that gets what follows. A launcher's own does not, nor does
 * an interpreter's before its script; and where the command of a launcher begins has to be known.
 */
export function endsOptions(words: Words, at: number): boolean {
  let begin = 0;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const next = carriedAt(words, begin);
    if (next === null) return isEnd(words.slice(begin, at));
    if (next === "unclear" || next > at) return false;
    begin = next;
  }
  return false;
}

function isEnd([first, ...rest]: Words): boolean {
  const name = nameOf(first);
  if (name === "" || WITHOUT_DASHES.has(name)) return false;
  if (HANDS_ON.has(`${name} ${rest.find(({ text }) => !text.startsWith("-"))?.text}`))
    return rest.some(({ text }) => text === "--");
  // `python3 -- a.py {{x}}`: what follows the script is the script's.
  return CODE_TAKERS.get(name)?.stops === true ? rest.some(mayBeProgram) : true;
}

const mayBeProgram = ({ text, known }: Word): boolean =>
  !known || !text.startsWith("-") || /^-[a-zA-Z]*[cemr]$|^--eval/.test(text);

const nameOf = (word: Word | undefined): string => (word?.known === true ? programName(word.text) : "");

/** Where the command begins that the one here starts; null = it starts none. */
function carriedAt(words: Words, begin: number): number | "unclear" | null {
  const name = nameOf(words[begin]);
  const starter = Object.hasOwn(STARTERS, name) ? STARTERS[name]?.carries : undefined;
  if (starter !== undefined) {
    const sub = words[begin + 1];
    if (sub?.known !== true || sub.text.startsWith("-")) return "unclear";
    return Object.hasOwn(starter, sub.text) ? behind(name, starter[sub.text] ?? null, words, begin + 1) : null;
  }
  return behind(name, carrierOf(name), words, begin);
}

function behind(name: string, carrier: Carrier | null, words: Words, begin: number): number | "unclear" | null {
  if (carrier === null) return null;
  if (carrier.mode !== "through" && !KEEPS_DASHES.has(name)) return "unclear";
  const split = carried(carrier, words.slice(begin));
  return typeof split === "string" || split.rest.length === 0 ? "unclear" : words.length - split.rest.length;
}
