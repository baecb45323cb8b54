import type { Word } from "../../src/domain/touch.ts";
import { BUILTINS } from "../../src/shell/builtins.ts";
import { readScript } from "../../src/shell/read-script.ts";
import type { FoundCommand, Reading } from "../../src/shell/reading.ts";
import { type TraceOptions, tracedRuns } from "./traced-bash.ts";

/** Builtins that can be switched off, so that what would be run in their place is seen. */
const SWITCHED_OFF =
  "echo printf test [ kill true false pwd type ulimit umask times wait jobs bg fg disown suspend history fc bind complete compgen hash help logout dirs pushd popd caller enable".split(
    " ",
  );
const IN_SHELL = new Set([...BUILTINS.keys()].filter((name) => !SWITCHED_OFF.includes(name)));

export interface Compared {
  readonly script: string;
  readonly reading: Reading;
  /** What bash ran and the reading does not list. Has to be empty where nothing is unknown. */
  readonly missing: readonly (readonly string[])[];
  /** What is listed and was not run. */
  readonly extra: readonly (readonly Word[])[];
}

/** Whether a command that was found can be the one that was run: words that are not known may be any. */
function isCommand(found: readonly Word[], ran: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const { text, known, many } of found) {
    const next = new Set<number>();
    for (const at of reached) {
      if (many === true) for (let end = at; end <= ran.length; end++) next.add(end);
      else if (at < ran.length && (!known || ran[at] === text)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(ran.length);
}

/** Scripts whose every command is a stub, carriers too: what bash itself starts is compared. */
export function comparedDirectly(scripts: readonly string[], options: Partial<TraceOptions> = {}): readonly Compared[] {
  const readings = scripts.map((script) => readScript(script));
  const direct = readings.map(({ commands }) => commands.map(startedByShell).filter(isStarted));
  const stubs = new Set(direct.flat().map(([first]) => first?.text ?? ""));
  const files = new Set(
    readings.flatMap((reading) => reading.files.map(({ path }) => path)).filter((path) => /^[\w.-]+$/.test(path)),
  );
  const trace = { stubs, withoutBuiltins: SWITCHED_OFF, seconds: 3, files: [...files, ".keep"], ...options };
  const runs = ([0, 1] as const).map((exit) => tracedRuns(scripts, { ...trace, exit }));
  return scripts.map((script, index) => {
    const ran = runs.flatMap((run) => run[index] ?? []);
    return compared(script, readings[index] as Reading, direct[index] ?? [], ran);
  });
}

/** Scripts of a few stubs behind real carriers: what is run in the end is compared. */
export function comparedInTheEnd(scripts: readonly string[], stubs: readonly string[]): readonly Compared[] {
  const real = ["env", "nice", "nohup", "timeout", "setsid", "stdbuf", "bash", "sh", "xargs", "find"];
  const compareAll = (some: readonly string[]): readonly Compared[] => {
    const runs = tracedRuns(some, { stubs, real });
    return some.map((script, index) => {
      const reading = readScript(script);
      const listed = reading.commands.map(({ argv }) => argv).filter(([first]) => stubs.includes(first?.text ?? ""));
      return compared(script, reading, listed, runs[index] ?? []);
    });
  };
  const first = compareAll(scripts);
  // A busy machine may be too slow for a script, and then nothing of it is seen: such ones are run once more.
  const again = first.filter(({ missing, extra }) => missing.length + extra.length > 0).map(({ script }) => script);
  const second = new Map(compareAll(again).map((each) => [each.script, each]));
  return first.map((each) => second.get(each.script) ?? each);
}

function compared(
  script: string,
  reading: Reading,
  listed: readonly (readonly Word[])[],
  ran: readonly (readonly string[])[],
): Compared {
  const isInside = (words: readonly Word[]): boolean => listed.some((outer) => outer !== words && holds(outer, words));
  return {
    script,
    reading,
    missing: ran.filter((words) => !listed.some((found) => isCommand(found, words))),
    extra: listed.filter((found) => !ran.some((words) => isCommand(found, words)) && !isInside(found)),
  };
}

/** The outermost carrier, since it is a stub here. */
const startedByShell = ({ argv, via }: FoundCommand): readonly Word[] =>
  via.find(([first]) => !IN_SHELL.has(first?.text ?? "")) ?? argv;

const isStarted = ([first]: readonly Word[]): boolean => !IN_SHELL.has(first?.text ?? "");

/** Whether the words stand in a row behind the first one: `sudo rm x` is a stub, and never gets to `rm x`. */
const holds = (outer: readonly Word[], inner: readonly Word[]): boolean =>
  outer.some(
    (_, start) => start > 0 && inner.every(({ text, known }, at) => !known || outer[start + at]?.text === text),
  );
