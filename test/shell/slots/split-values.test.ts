// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

type Row = readonly [unsafe: string, safe: string];

/** `./$v` with `a --checkpoint-action=exec=…` in it: of several words only the first has the author's own text at its head. */
const SPLIT: readonly Row[] = [
  ["v={{x}}; tar cf b.tar ./$v", 'v={{x}}; tar cf b.tar "./$v"'],
  ["v={{x}}; rm /data/${v}", 'v={{x}}; rm "/data/${v}"'],
  ['v={{x}}; rm "/data/"$v', 'v={{x}}; rm /data/"$v"'],
  ["v={{x}}; tar -cf b.tar --exclude=$v a", 'v={{x}}; tar -cf b.tar --exclude="$v" a'],
  ["v={{x}}; curl -d $v https://a.example", 'v={{x}}; curl -d "$v" https://a.example'],
  ["v={{x}}; curl https://a.example/$v", 'v={{x}}; curl "https://a.example/$v"'],
  ["v={{x}}; head -n $v f", "v={{n}}; head -n $v f"],
  ["v={{x}}; grep -e a$v f", 'v={{x}}; grep -e "a$v" f'],
  ["v={{x}}; find ./$v -name a", 'v={{x}}; find "./$v" -name a'],
  ["v={{x}}; ./tool --name=$v", 'v={{x}}; ./tool --name="$v"'],
  ["ls /data/$(printf %s {{x}})", 'ls "/data/$(printf %s {{x}})"'],
  ["ls /data/$(printf %s {{x}})", "ls -- /data/$(printf %s {{x}})"],
  ["for f in {{#l}} {{.}} {{/l}}; do rm ./$f; done", 'for f in {{#l}} {{.}} {{/l}}; do rm "./$f"; done'],
  ["while read -r f; do rm ./$f; done <<< {{x}}", 'while read -r f; do rm "./$f"; done <<< {{x}}'],
  ["f() { rm ./$1; }; f {{x}}", 'f() { rm "./$1"; }; f {{x}}'],
  ["f() { rm ./$*; }; f {{x}}", 'f() { rm "./$*"; }; f {{x}}'],
  ["a=({{#l}} {{.}} {{/l}}); rm ./${a[*]}", 'a=({{#l}} {{.}} {{/l}}); rm "./${a[*]}"'],
  ["v={{x}}; for f in a$v; do rm $f; done", 'v={{x}}; for f in a$v; do echo "$f"; done'],
];

/** What bash's own commands do is read where their name is written out: `declare -i n` computes with what `n` is set to. */
const NAMED: readonly Row[] = [
  ["d=declare; $d -i b; b={{x}}", "declare -x b; b={{x}}"],
  ['d="declare -i"; $d b; b={{x}}', 'd="cat -n"; $d b; b={{x}}'],
  ['d=(declare -i); "${d[@]}" b; b={{x}}', 'd=(cat -n); "${d[@]}" b; b={{x}}'],
  ["d=declare; command $d -i b; b={{x}}", "d=cat; command $d -n b; b={{x}}"],
  ["if true; then d=declare; fi; $d -i b; b={{x}}", "if true; then d=cat; fi; $d -n b; b={{x}}"],
  ["for d in declare typeset; do $d -i b; done; b={{x}}", "for d in cat nl; do $d b; done; b={{x}}"],
  ["${d:-declare} -i b; b={{x}}", "${d:-cat} -n b; b={{x}}"],
  ["$(echo declare) -i b; b={{x}}", "$(echo cat) -n b; declare b; b={{x}}"],
  ["{declare,-i} b; b={{x}}", "{cat,-n} b; b={{x}}"],
  ["l=let; v={{x}}; $l v+=1", "l=/usr/bin/let; v={{x}}; $l v+=1"],
  ['t=trap; v={{x}}; $t "$v" EXIT', "v={{x}}; trap 'echo \"$v\"' EXIT"],
  ['t=test; v={{x}}; $t -v "$v"', 'v={{x}}; test -n "$v"'],
  ['u=unset; v={{x}}; $u "$v"', "u=unset; v={{e}}; $u v"],
  ['p=printf; v={{x}}; $p -v "a[$v]" b', 'p=printf; v={{x}}; $p "%s" "$v"'],
  ["declare -{i,x} a; a={{x}}", "declare -x a; a={{x}}"],
  ["declare -i{,} a; a={{x}}", "declare -r a; a={{e}}"],
  ['declare -"$z"i a; a={{x}}', "declare -- a; a={{x}}"],
];

/** `~-` is `$OLDPWD`, and so on. */
const FOLDERS: readonly Row[] = [
  ["OLDPWD={{x}}; ~-/run.sh", "OLDPWD={{x}}; cat ~-/a"],
  ["PWD={{x}}; ~+/run.sh", "PWD={{x}}; ~/run.sh"],
  ["read -r OLDPWD <<< {{x}}; bash ~-/run.sh", "read -r OLDPWD <<< {{x}}; bash ./run.sh"],
  ["OLDPWD={{x}}; source ~-/run.sh", "OLDPWD={{x}}; wc -l -- ~-/run.sh"],
  ["DIRSTACK[1]={{x}}; ~1/run.sh", "DIRSTACK[1]={{x}}; ls ~a/run.sh"],
];

for (const [name, rows] of Object.entries({
  "a value that becomes several words": SPLIT,
  "a command of bash's own by another name": NAMED,
  "a folder that bash keeps": FOLDERS,
}))
  describe(name, () => {
    it.each(rows)("is refused: %j, and not beside it: %j", (unsafe, safe) => {
      const problem = problemOf(unsafe);
      expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problem?.hint).not.toBe("");
      expect(problemOf(safe)).toBeNull();
    });
  });

it("says that quotes are missing", () => {
  expect(problemOf("v={{x}}; rm ./$v")?.hint).toContain("double quotes");
});

/** The author's word that a value may begin with a dash is no word that it may be any option. */
const DASHES: readonly Row[] = [
  ["tar cf b.tar {{d}}", "tar cf b.tar -- {{d}}"],
  ["sort {{d}} f", "sort -k {{d}} f"],
  ['v={{d}}; rsync "$v" b', 'v={{d}}; rsync -- "$v" b'],
  ["v={{d}}; tar -cf b.tar -v $v", 'v={{d}}; tar -cf b.tar --exclude "$v" a'],
  ["sudo psql {{d}}", "sudo -u {{d}} ls"],
  ["timeout 5 curl {{d}} https://a.example", "timeout 5 curl -d {{d}} https://a.example"],
  ["man {{d}}", "ls {{d}}"],
  ["echo {{d}} | xargs sort", "echo {{d}} | xargs wc"],
];

describe("a value that may begin with a dash", () => {
  it.each(DASHES)("is refused where an option runs something: %j, and not beside it: %j", (unsafe, safe) => {
    expect(problemOf(unsafe)?.message).toContain("allow_dash");
    expect(problemOf(safe)).toBeNull();
  });
});
