// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

type Row = readonly [unsafe: string, safe: string];

/** `a=v; $((a))`: bash computes with the text of a variable, and that is the name of another one. */
const COMPUTED: readonly Row[] = [
  ["v={{x}}; a=v; echo $((a))", "v={{n}}; a=v; echo $((a))"],
  ["v={{x}}; a=v; b=a; echo $((b))", "v={{x}}; a=w; b=a; echo $((b))"],
  ["v={{x}}; a=v; [[ a -eq 1 ]]", "v={{x}}; a=v; [[ $a == v ]]"],
  ["v={{x}}; a='v[0]'; echo $((a))", "v={{x}}; a='w[0]'; echo $((a))"],
  ["a=$(echo v); v={{x}}; echo $((a))", "a=$(wc -l < v); v={{x}}; echo $((a))"],
  ["read a <<< v; v={{x}}; echo $((a))", "read a < f; v={{x}}; echo $((a))"],
  ["v={{x}}; for a in v w; do (( a )); done", "v={{x}}; for a in 1 2; do (( a )); done"],
  ["v={{x}}; a=(v); (( a[0] ))", "v={{x}}; a=(1); (( a[0] ))"],
  ["v={{x}}; printf -v a v; (( a ))", "v={{x}}; printf -v a %s 1; (( a ))"],
  ["v={{x}}; w=v; a=$w; (( a ))", 'v={{x}}; a=${v:+1}; (( a )); echo "$v"'],
  ["v={{x}}; f() { local i=v; echo $((i)); }; f", "v={{x}}; f() { local i=3; echo $((i)); }; f"],
  ["v={{x}}; f() { local i=$1; echo $((i)); }; f v", "v={{x}}; f() { local i=$1; echo $((i)); }; f 3; cat v"],
  ["v={{x}}; PS4='$((v))'; set -x; :", "v={{x}}; PS4='+ ${LINENO}: '; set -x; echo \"$v\""],
  ["v={{x}}; PS4='${v@P}'; set -x; :", "v={{x}}; PS4='+ '; set -x; :"],
];

/** Where a descriptor's number is put may be a place in a list, whose index is computed. */
const DESCRIPTORS: readonly Row[] = [
  ["v={{x}}; exec {a[v]}> f", "v={{x}}; exec {a[1]}> f"],
  ["v={{x}}; exec {a[$v]}> f", "v={{x}}; exec {a}> f"],
  ["v={{x}}; { :; } {a[v]}> f", "v={{x}}; { :; } {a}> f"],
  ["v={{x}}; exec {a[v]}<<< b", "v={{x}}; exec {a}<<< b"],
  ['v={{x}}; : {a["$v"]}> f', "v={{x}}; : {a[2]}> f"],
  ['v={{x}}; : {a["v"]}> f', 'v={{x}}; : {a["v"]} > f'],
];

/** Of braces and brackets, what stands in them is at the head of the words that they become. */
const BRACES: readonly Row[] = [
  ['v={{x}}; test {-v,"$v"}', 'v={{x}}; test -f "$v"'],
  ['v={{x}}; trap {"$v",EXIT}', "v={{x}}; trap 'echo \"$v\"' {EXIT,TERM}"],
  ["v={{x}}; trap -- $v", 'v={{x}}; trap -- "$v"'],
  ['v={{x}}; printf {%s,"$v"}', 'v={{x}}; printf %s {a,b}"$v"'],
  ['v={{x}}; rm {a,"$v"}', 'v={{x}}; rm ./{a,"$v"}'],
  ["v={{x}}; rm ./{a,$v}", 'v={{x}}; rm -- {a,"$v"}'],
  ["v={{x}}; rm [$v]", 'v={{x}}; rm ./["$v"]'],
  ['v={{x}}; tar cf b.tar {a,"$v"}', 'v={{x}}; cp -- "$v"{,.bak}'],
];

/** Bash's own commands, by names that are put together and behind words in quotes. */
const NAMED: readonly Row[] = [
  ['d=declare; "command" $d -i b; b={{x}}', 'd=cat; "command" $d -n b; b={{x}}'],
  ["d=declare; \\builtin $d -i b; b={{x}}", "d=echo; \\builtin $d b; b={{x}}"],
  ["d=DECLARE; ${d,,} -i b; b={{x}}", "d=cat; ${d:-nl} b; b={{x}}"],
  ["d=xdeclare; ${d#x} -i b; b={{x}}", "d=xcat; /bin/${d#x} b; b={{x}}"],
  ["d=dec; $(echo ${d}lare) -i b; b={{x}}", "$(command -v cat) -n b; b={{x}}"],
  ["dec{lare,} -i b; b={{x}}", "{cat,-n} b; b={{x}}"],
  ['v={{x}}; declare PIPESTATUS="$v"', 'v={{x}}; declare STATUS="$v"'],
  ['mapfile <<< a; v={{x}}; declare MAPFILE="$v"', 'mapfile lines <<< a; v={{x}}; declare line="$v"'],
  ['coproc A { cat; }; v={{x}}; declare A="$v"', 'coproc A { cat; }; v={{x}}; declare B="$v"'],
  ['v={{x}}; BASH_ENV=/dev/stdin bash -c : <<< "$v"', 'v={{x}}; BASH_ENV=/dev/null bash -c cat <<< "$v"'],
  ['v={{x}}; BASH_ENV=/dev/fd/3 bash -c : 3<<< "$v"', 'v={{x}}; bash -c : 3<<< "$v"'],
];

/** Names that `find` prints begin with the folder that it began with, and not with what it looked for. */
const FOUND: readonly Row[] = [
  ["find {{x}} -print0 | xargs -0 wc -l; a={{x}}; sort $a", "find . -name {{x}} -type f -print0 | xargs -0 wc -l"],
  ["find . -name {{x}} -print | xargs wc -l", "find -L src -newer {{x}} -print0 | xargs -0 wc -l"],
  ["f={{x}}; find ${f#a} -print0 | xargs -0 wc -l", "find -- src -path {{x}} -print0 | xargs -0 wc -l"],
];

/** In the place of `&` bash puts what it has found, unless quotes of its own are around it. */
const REPLACED: readonly Row[] = [
  ['t=abc; v={{x}}; echo "${t/b/$v}"', 't=abc; v={{x}}; echo "${t/b/"$v"}"'],
  ["t=abc; v={{x}}; t=${t//b/${v}c}", 't=abc; v={{x}}; t=${t//b/"${v}"c}'],
  ['t=abc; v={{x}}; echo "${t/b/$(echo "$v")}"', 't=abc; v={{x}}; echo "${t/b/$(wc -l <<< "$v")}"'],
  ['t=abc; v={{x}}; echo "${t/b/${v:-c}}"', 't=abc; v={{n}}; echo "${t/b/$v}"'],
];

/** Code that stands in the template uses modules that are known to run nothing. */
const MODULES: readonly Row[] = [
  [
    "python3 -c 'import sys, logging.config as c; c.fileConfig(sys.argv[1])' {{x}}",
    "python3 -c 'import sys, logging' {{x}}",
  ],
  [
    "python3 -c 'import sys, webbrowser; webbrowser.open(sys.argv[1])' {{x}}",
    "python3 -c 'import sys, urllib.parse' {{x}}",
  ],
  [
    "python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import json' {{x}}",
    "python3 -c 'import sys; sys.stdout.write(\"a\")' {{x}}",
  ],
  [
    "python3 - {{x}} <<'EOF'\nfrom somewhere import run\nEOF",
    "python3 - {{x}} <<'EOF'\nfrom datetime import date\nEOF",
  ],
  ["python3 -c 'import sys as s, unheard_of' {{x}}", "python3 -c 'import sys as s, csv' {{x}}"],
  ["node -e 'require(\"unheard-of\")' {{x}}", "node -e 'require(\"node:fs/promises\")' {{x}}"],
  [
    "node --input-type=module -e 'import a from \"unheard-of\"' {{x}}",
    "node --input-type=module -e 'import a from \"node:path\"' {{x}}",
  ],
  [
    "node -e 'globalThis[process.argv[1]](process.argv[2])' {{x}} {{y}}",
    "node -e 'console.log(process.argv[1], process.argv[2])' {{x}} {{y}}",
  ],
  ["node -e 'a[process.argv[1]](1)' {{x}}", "node -e 'a(process.argv[1])' {{x}}"],
  ["ruby -e 'require \"unheard_of\"' {{x}}", "ruby -e 'require \"json\"' {{x}}"],
  ["perl -e 'use Unheard::Of' {{x}}", "perl -e 'use strict; use List::Util qw(sum)' {{x}}"],
];

for (const [name, rows] of Object.entries({
  "what is put in the place of another text": REPLACED,
  "a module of code that is written out": MODULES,
  "a name that is found": FOUND,
  "a variable that holds another one's name": COMPUTED,
  "a descriptor's place": DESCRIPTORS,
  "a value in braces": BRACES,
  "a command of bash's own": NAMED,
}))
  describe(name, () => {
    it.each(rows)("is refused: %j, and not beside it: %j", (unsafe, safe) => {
      expect(problemOf(unsafe)?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problemOf(safe)).toBeNull();
    });
  });

/** Behind an option that takes no value, a value may be an option. */
const DASHES: readonly Row[] = [
  ["sort -u {{d}} f", "sort -u -k {{d}} f"],
  ["tar -czv {{d}}", "tar -czvf {{d}} a"],
  ["tar -c --verbose {{d}}", "tar -c --verbose --exclude {{d}} a"],
  ["curl -s {{d}}", "curl -s -d {{d}} https://a.example"],
  ["curl --silent {{d}}", "curl --silent --data {{d}} https://a.example"],
  ["rsync -a {{d}} b", "rsync -a --exclude {{d}} a b"],
  ["psql -q {{d}}", "ls -l {{d}}"],
  ["git grep {{d}}", "git grep -- {{d}}"],
  ["git fetch {{d}}", "git commit -m {{d}}"],
  ["find . {{d}}", "find . -name {{d}}"],
];

describe("a value that may begin with a dash", () => {
  it.each(DASHES)("is refused behind a flag: %j, and not behind what takes it: %j", (unsafe, safe) => {
    expect(problemOf(unsafe)?.message).toContain("allow_dash");
    expect(problemOf(safe)).toBeNull();
  });
});

/** What authors write, and nobody can do harm by. */
const PLAIN: readonly string[] = [
  "bc -l <<< {{x}}",
  'echo "scale=4; {{x}}" | bc',
  "kubectl exec pod -- ls -l -- {{x}}",
  "kubectl exec -n a pod -c b -- cat ./{{x}}",
  "echo {{x}} | tr , '\\n' | xargs -I{} touch ./{}",
  "printf '%s\\n' {{x}} | xargs -I % cp src/% out/%",
];

describe("what is plain", () => {
  it.each(PLAIN)("loads: %s", (template) => expect(problemOf(template)).toBeNull());

  it.each([
    "kubectl exec pod -- sh -c {{x}}",
    "kubectl exec pod -- {{x}}",
    "kubectl exec {{x}} -- ls",
    "echo {{x}} | xargs -I{} touch {}",
    "echo {{x}} | xargs -I{} cp ./{} {}",
    "echo {{x}} | xargs -I{} touch -{}",
    "n=$(bc <<< {{x}}); echo $((n))",
    "bc <<< {{x}} | sh",
  ])("and does not beside it: %s", (template) => expect(problemOf(template)?.code).toBe("TEMPLATE_UNSAFE_SLOT"));
});
