// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

type Row = readonly [unsafe: string, safe: string];

/** `[ $v = a ]` with `-v a[$(id)] -o b` in it runs `id`: what is split may be `-v` and a name, whose index is computed. */
const TESTS: readonly Row[] = [
  ["v={{x}}; [ $v = yes ]", 'v={{x}}; [ "$v" = yes ]'],
  ["v={{x}}; [ -n $v ] && echo a", 'v={{x}}; [ -n "$v" ] && echo a'],
  ["v={{x}}; test $v", 'v={{x}}; test "$v"'],
  ["v={{x}}; if ! [ a != ${v} ]; then ls; fi", "v={{x}}; if [[ $v == yes ]]; then ls; fi"],
  ["[ $(cat -- {{x}}) = yes ]", '[ "$(cat -- {{x}})" = yes ]'],
  ["[ $(wc -lc < {{x}}) -gt 5 ]", "[ $(wc -l < {{x}}) -gt 5 ]"],
  ["read -r a <<< {{x}}; [ $a = b ]", 'read -r a <<< {{x}}; [ "$a" = b ]'],
  ['f() { [ "$@" ]; }; f {{x}}', 'f() { [ "$1" = a ]; }; f {{x}}'],
  ['a=({{#l}} {{.}} {{/l}}); [ "${a[@]}" = b ]', 'a=({{#l}} {{.}} {{/l}}); [ "${a[0]}" = b ]'],
  ["v={{x}}; command [ $v = a ]", 'v={{x}}; command [ "$v" = a ]'],
  ["v={{x}}; t=test; $t $v = a", "v={{e}}; [ $v = yes ]"],
  ["v={{x}}; find . -exec [ $v = a ] ';'", "v={{n}}; [ $v -gt 3 ]"],
];

/** `read -d $v a` with `, b[$(id)]` in it runs `id`: what is split may be a name, whose index is computed. */
const NAMES: readonly Row[] = [
  ["v={{x}}; read -r -d $v b < f", 'v={{x}}; read -r -d "$v" b < f'],
  ['v={{x}}; read -p "Say "$v": " b', 'v={{x}}; read -p "Say $v: " b'],
  ["v=(b {{x}}); read -r -d ${v[1]} b < f", 'v=(b {{x}}); read -r -d "${v[1]}" b < f'],
  ["for v in {{x}}; do read -r -d $v b < f; done", 'for v in {{x}}; do read -r -d "$v" b < f; done'],
  ["v={{x}}; mapfile -d $v a < f", 'v={{x}}; mapfile -d "$v" a < f'],
  ["v={{x}}; getopts $v o", 'v={{n}}; read -t "$v" b'],
];

/** A format of `printf` is read, also where a variable carries the value to it. */
const FORMATS: readonly Row[] = [
  ['v={{x}}; printf -- "$v"', "v={{x}}; printf -- '%s' \"$v\""],
  ['v={{x}}; printf "Hello $v\\n"', "v={{x}}; printf 'Hello %s\\n' \"$v\""],
  ['v={{x}}; printf -v out "a$v"', "v={{x}}; printf -v out 'a%s' \"$v\""],
  ['say() { printf "$1"; }; say {{x}}', "say() { printf '%s' \"$1\"; }; say {{x}}"],
  ['printf "$(cat -- {{x}})"', "printf '%s' \"$(cat -- {{x}})\""],
  ["jobs -x {{x}}", "jobs -l; echo {{x}}"],
  ['v={{x}}; jobs -x "$v"', 'v={{x}}; jobs; wait; echo "$v"'],
];

/** In a statement that is written out, what a value says is more than a value: `' or 1 or '`. */
const STATEMENTS: readonly Row[] = [
  ["sqlite3 -safe db \"select * from t where a='{{x}}'\"", "sqlite3 -safe db {{x}}"],
  ["sqlite3 -safe db <<< \"select '{{x}}'\"", "sqlite3 -safe -readonly db <<< {{x}}"],
  ["sqlite3 -safe db <<EOF\nselect '{{x}}';\nEOF", "sqlite3 -safe db <<EOF\n.mode json\n{{x}};\nEOF"],
  ["v={{x}}; sqlite3 -safe db \"select '$v'\"", 'v={{x}}; sqlite3 -safe db "$v"'],
  ['v="select \'{{x}}\'"; sqlite3 -safe db "$v"', 'q="{{x}}"; sqlite3 -safe db "$q"'],
  ["v={{x}}; sqlite3 -safe db <<< \"select '$v'\"", 'v={{x}}; sqlite3 -safe db <<< "$v"'],
  ["v={{x}}; sqlite3 -safe db <<EOF\nselect '$v';\nEOF", "v={{x}}; sqlite3 -safe db <<EOF\n$v\nEOF"],
  ["printf \"select '%s'\" {{x}} | sqlite3 -safe db", "printf '%s\\n' {{x}} | sqlite3 -safe db"],
  ["echo \"select '{{x}}'\" | sqlite3 -safe db", "echo {{x}} | sqlite3 -safe db"],
  ["echo {{x}} | sed \"s/.*/select '&'/\" | sqlite3 -safe db", "sqlite3 -safe db < {{x}}"],
  ["sqlite3 -safe -cmd \".parameter set @a '{{x}}'\" db 'select @a'", 'sqlite3 -safe db "select a where id = {{n}}"'],
  ['sqlite3 -safe db "{{x}} limit 10"', 'sqlite3 -safe db "{{x}};"'],
  ['q="{{x}} limit 10"; sqlite3 -safe db "$q"', 'q="{{x}};"; sqlite3 -safe db "$q"'],
  ['q={{x}}; q+=" limit 10"; sqlite3 -safe db "$q"', 'q={{x}}; q+=";"; sqlite3 -safe db "$q"'],
  ['echo "{{x}} limit 10" | sqlite3 -safe db', 'echo "{{x}};" | sqlite3 -safe db'],
  ['q={{x}}; sqlite3 -safe db "$q$LIMIT"', 'q={{x}}; sqlite3 -safe db "$q"'],
  ["sqlite3 -safe db <<EOF\nselect * from t where a =\n{{x}};\nEOF", "sqlite3 -safe db <<EOF\nselect 1;\n{{x}};\nEOF"],
  ["sqlite3 -safe db <<EOF\nselect 'a;\n{{x}}';\nEOF", "sqlite3 -safe db <<EOF\nselect 'a';\n{{x}};\nEOF"],
  ["sqlite3 -safe db <<EOF\n{{x}}\nlimit 10;\nEOF", "sqlite3 -safe db <<EOF\n{{x}}\n.quit\nEOF"],
  ["sqlite3 -safe db <<EOF\n{{x}}\n{{y}}\nEOF", "sqlite3 -safe db <<EOF\n{{x}};\n{{y}}\n;\nselect 1;\nEOF"],
  ["sqlite3 -safe db < <(echo \"select '{{x}}'\")", "sqlite3 -safe db < <(echo {{x}})"],
  ["sqlite3 -safe db < <(echo select; echo {{x}})", "sqlite3 -safe db < <(printf '%s' {{x}})"],
  ["exec 3<<< \"select '{{x}}'\"; sqlite3 -safe db <&3", "exec 3<<< {{x}}; sqlite3 -safe db; cat <&3"],
  ["mysql --sandbox -e \"select '{{x}}'\"", "mysql --sandbox -e {{x}}"],
  ["mysql --sandbox <<< \"select '{{x}}'\"", "mysql --sandbox db < {{x}}"],
  [
    "h=$(printf %s {{x}} | xxd -p); sqlite3 db \"select x'$h'\"",
    "h=$(printf %s {{x}} | basenc --base16 -w0); sqlite3 db \"select cast(x'$h' as text)\"",
  ],
];

const XML: readonly Row[] = [
  ["xmllint --shell a.xml <<< {{x}}", "xmllint --noout - <<< {{x}}"],
  ["echo \"cat //a[@id='{{x}}']\" | xmllint --shell a.xml", "echo 'cat //a' | xmllint --shell a.xml; echo {{x}}"],
  ["xmllint --xpath \"//a[@id='{{x}}']\" a.xml", "xmllint --xpath {{x}} a.xml"],
  ["v={{x}}; xmllint --xpath \"//a[@id='$v']\" a.xml", "xmllint --xpath '//a' {{x}}"],
  ["xsltproc --param a {{x}} b.xsl c.xml", "xsltproc --stringparam a {{x}} b.xsl c.xml"],
  ["xsltproc {{x}} c.xml", "xsltproc b.xsl ./{{x}}"],
];

/** Folders and programs of a model's own choice, and variables of a name of its own. */
const CHOSEN: readonly Row[] = [
  ["git push {{x}} main", "git push https://a.example/{{x}} main; git fetch -- {{y}}"],
  ["git push -q -- {{x}}", "git push -q -- origin {{x}}"],
  ["git push --force {{x}} main", "git push {{e}} main"],
  ["git remote add o {{x}}; git push o", "git remote add o {{x}}; git fetch o"],
  ["git clone {{x}} d; cd d; git push", "git clone https://a.example/{{x}} d; cd d; git push"],
  ["git remote set-url --push origin {{x}} && git push", "git remote set-url origin {{e}} && git push"],
  ["go test {{x}}", "go test -run {{x}} ./..."],
  ["go test ./{{x}}", "go vet ./{{x}}"],
  ["docker run -e {{x}} img bash a.sh", "docker run -e NAME={{x}} img bash a.sh"],
  ["docker run --env={{x}} img bash a.sh", "docker run --env NAME={{x}} img bash a.sh"],
  ["docker run -e LD_PRELOAD={{x}} img ls", "docker run -e LANG={{x}} img ls"],
  ["docker exec --env-file {{x}} c bash a.sh", "docker exec --env-file a.env c printf %s {{x}}"],
  ["GNUPGHOME={{x}} gpg -k", "GREETING={{x}} gpg -k"],
  ["ZIPOPT={{x}} zip a.zip b", "ZIPFILE={{x}} zip a.zip b"],
  ["MAGICK_CONFIGURE_PATH={{x}} identify ./a.png", "TITLE={{x}} identify ./a.png"],
  ["MANOPT={{x}} man ls", "MANUAL={{x}} man ls"],
  ["export BC_ENV_ARGS={{x}}; bc a", "export BCC={{x}}; bc a"],
  ["GCC_EXEC_PREFIX={{x}} gcc a.c", "OUT={{x}} gcc a.c"],
];

/** What comes back: variables that are printed, archives that are unpacked. */
const BACK: readonly Row[] = [
  ["v={{x}}; declare -p v | cut -d= -f2 | sh", "v={{x}}; declare -p v | wc -c"],
  ["v={{x}}; set > f.sh; source f.sh", "v={{x}}; set > f.txt; wc f.txt"],
  ["v={{x}}; typeset -p > f.sh; bash f.sh", "v={{x}}; typeset -p > f.txt"],
  ["export v={{x}}; export -p | sed 's/\"//g' | bash", "export v={{x}}; export -p | head"],
  ["python3 -m zipfile -e {{x}} out; ./out/run", "python3 -m zipfile -l {{x}}; ./out/run"],
  ["python3 -m tarfile -e {{x}} out; bash out/a.sh", "python3 -m tarfile -l {{x}}; bash out/a.sh"],
];

/** Another shell has none of the variables and functions of this one: where `$c` is nothing, the next word is the command. */
const OTHER_SHELLS: readonly Row[] = [
  ["c=cat; sh -c '                $c \"$1\"' _ {{x}}", "sh -c 'c=cat; $c \"$1\"' _ {{x}}"],
  ['c=cat; bash -c \'               "$c" "$1"\' _ {{x}}', 'bash -c \'c=cat; "$c" "$1"\' _ {{x}}'],
  ['c=(cat --); bash -c \'         "${c[@]}" "$1"\' _ {{x}}', 'bash -c \'c=(cat --); "${c[@]}" "$1"\' _ {{x}}'],
  ["a=b; sh -c '                cat \"$a-$1\"' _ {{x}}", "sh -c 'a=b; cat \"$a-$1\"' _ {{x}}"],
  [
    "c=cat; cat > p.sh <<'EOF'\n                $c \"$1\"\nEOF\nbash p.sh {{x}}",
    "cat > p.sh <<'EOF'\nc=cat; $c \"$1\"\nEOF\nbash p.sh {{x}}",
  ],
  ["sort() { cat; }; sh -c 'sort \"${1#a}\"' _ {{x}}", 'sh -c \'f() { cat "$1"; }; f "$1"\' _ {{x}}'],
  ["trap '                $c \"$v\"' EXIT; c=cat; v={{x}}", "trap 'cat \"$v\"' EXIT; c=cat; v={{x}}"],
];

for (const [name, rows] of Object.entries({
  "a script of another shell": OTHER_SHELLS,
  "what comes back": BACK,
  "what is tested": TESTS,
  "what may be a name": NAMES,
  "what is printed by a format": FORMATS,
  "a statement that is written out": STATEMENTS,
  "XML and its languages": XML,
  "what a value chooses": CHOSEN,
}))
  describe(name, () => {
    it.each(rows)("is refused: %j, and not beside it: %j", (unsafe, safe) => {
      const problem = problemOf(unsafe);
      expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problem?.hint).not.toBe("");
      expect(problemOf(safe)).toBeNull();
    });
  });

describe("what only looks like that", () => {
  it.each([
    'a=b; cat "$a-{{y}}"',
    'a=b; cat "${a}-{{y}}.txt"',
    'day=$(date +%F); cat "$day-{{y}}.txt"',
    "i=0; while [ $i -lt {{n}} ]; do i=$((i + 1)); done",
    "make {{e}}",
    "make -j {{n}} {{e}} MODE={{e}}",
    "just {{e}}",
    "git -c user.name={{x}} -c user.email={{y}} commit -m a",
    "git push {{e}} main",
    "go test ./{{e}}",
    "mysql --sandbox -e {{x}}",
    "jq {{x}} f",
  ])("is let in: %s", (template) => {
    expect(problemOf(template)).toBeNull();
  });

  it.each([
    'if [ -e f ]; then a=b; fi; cat "$a-{{y}}"',
    'a=-b; cat "$a-{{y}}"',
    'a=b; read -r a < f; cat "$a-{{y}}"',
    'f() { local a; cat "$a-{{y}}"; }; a=b; f',
    'a=b; unset a; cat "$a-{{y}}"',
    "make {{e}} A={{x}}",
    "awk {{e}} <<< {{x}}",
    "bash -c {{e}} _ {{x}}",
    "git -c core.pager={{x}} log",
    "git -c user.name={{x}} -c {{y}} commit",
    "i=0; while [ $i -lt {{x}} ]; do i=$((i + 1)); done",
  ])("and nothing else is: %s", (template) => {
    expect(problemOf(template)?.code).toBe("TEMPLATE_UNSAFE_SLOT");
  });

  it.each([
    ['run() { "$@"; }; run ls -- {{x}}', "where it is started"],
    ['declare -A m; k={{x}}; m["$k"]=1', "`case`"],
    ['export "A={{x}}"', "`export NAME={{x}}`"],
    ["v={{x}}; [ $v = a ]", "double quotes"],
    ["sqlite3 -safe db \"select '{{x}}'\"", "basenc"],
    ["git push {{x}}", "`enum`"],
  ])("is told what to write instead: %s", (template, fix) => {
    expect(problemOf(template)?.hint).toContain(fix);
  });
});
