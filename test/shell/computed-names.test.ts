// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { expect, it } from "vitest";
import { comparedInTheEnd } from "./against-bash.ts";

/** Ways to write a name where bash computes, and places where it does. `n` holds a command in a subscript. */
const SPELLED = [
  "n",
  '"n"',
  "'n'",
  "\\n",
  "$n",
  '"$n"',
  "$((n))",
  '"$((n))"',
  "'n+1'",
  '"x=n"',
  "n''",
  "3",
  '"3"',
  "$'n'",
];
const PLACES = [
  "[[ @ -eq 0 ]]",
  "[[ 1 -eq 1 && 0 -lt @ ]]",
  "x[@]=1",
  "x=([@]=1)",
  ": ${x[@]}",
  "y=abc; : ${y:@}",
  "y=abc; : ${y:0:@}",
  "((@))",
  ": $((@))",
  "let @",
  "test -v x[@]",
  "[[ -v x[@] ]]",
  "unset x[@]",
  "declare -i z=@",
  "printf -v x[@] 1",
  "printf -v x[y[@]] 1",
  "read x[@] <<< 1",
  "declare x[y[@]]=1",
  "y=abc; : ${y:${#x[@]}}",
  "x=(1); : $((${#x[@]}))",
  "for ((; @; )); do break; done",
];

const scripts = PLACES.flatMap((place) =>
  SPELLED.map((name) => `n='a[$(told)]'; ${place.replace("@", () => name)}; ran a`),
);

it("what a value holds is run only where that is unknown, in whatever quotes its name stands", () => {
  const compared = comparedInTheEnd(scripts, ["ran", "told"]);
  const wrong = compared.filter(({ reading, missing }) => reading.unknown.length === 0 && missing.length > 0);
  expect(wrong.map(({ script }) => script)).toEqual([]);
  expect(compared.filter(({ reading }) => reading.unknown.length === 0).length).toBeGreaterThan(PLACES.length);
});
