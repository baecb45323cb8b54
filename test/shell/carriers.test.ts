import { expect, it } from "vitest";
import { comparedInTheEnd } from "./against-bash.ts";

/** Options of the real programs, each with what they do to the words of the others. */
const OPTIONS = {
  env: [
    "-u X",
    "-i",
    "-C /tmp",
    "-S 'ran a'",
    "-S ''",
    "-S '-u'",
    "-vS ran",
    "--split-string='ran b'",
    "--",
    "A=b",
    "-v",
  ],
  xargs: [
    "-I a",
    "-I %",
    "--replace=a",
    "--replace",
    "-n 1",
    "-n 2",
    "-L 1",
    "--max-args=2",
    "--max-lines",
    "-r",
    "-t",
  ],
  bash: ["-c", "+c", "-s", "+s", "-e", "+e", "-o errexit", "-ec", "--"],
  sh: ["-c", "+c", "-s", "+s", "-e", "+e", "-o errexit", "-ec", "--"],
} as const;

const scriptsFor = (name: keyof typeof OPTIONS): readonly string[] =>
  ["", ...OPTIONS[name]].flatMap((first) =>
    OPTIONS[name].map(
      (second) => `${name} ${first} ${second} ${name.endsWith("sh") ? "'ran a'" : "ran a"} <<< 'told b'`,
    ),
  );

it.each(["env", "xargs", "bash", "sh"] as const)(
  "%s: what it runs was read, or is unknown, with any two options",
  (name) => {
    const compared = comparedInTheEnd(scriptsFor(name), ["ran", "told"]);
    const wrong = compared.filter(({ reading, missing }) => reading.unknown.length === 0 && missing.length > 0);
    expect(wrong.map(({ script, missing }) => ({ script, missing }))).toEqual([]);
    expect(compared.filter(({ reading }) => reading.unknown.length === 0).length).toBeGreaterThan(10);
  },
);
