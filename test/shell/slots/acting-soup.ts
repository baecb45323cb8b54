// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import type { Dice } from "../compositions.ts";

const one = (dice: Dice, list: readonly string[]): string => list[dice.roll(list.length)] as string;

/** What a program is told in its own small language, and does with what it comes by. */
const AWK = [
  ...["{ print $0 }", "{ print c }", '{ print ENVIRON["X"] }', '{ print | "sort" }', '{ print $1 > "o.txt" }'],
  ...["{ system($0) }", 'BEGIN { system(ENVIRON["X"]) }', "BEGIN { system(c) }", "{ print | c }", '{ print | "sh" }'],
  ...["BEGIN { c | getline y; print y }", '{ print > "a.sh" }', '{ print >> "f" }', "{ print > c }"],
  ...['BEGIN { while ((getline l < "f") > 0) system(l) }', 'BEGIN { while ((getline l < "f") > 0) print l }'],
  ...["{ system(ARGV[1]) }", '{ printf("%s\\n", $0) > "g" }', "{ if ($1 > 3) print }", 'BEGIN { "date" | getline d }'],
  ...[
    'BEGIN { X = "X"; system(ENVIRON[X]) }',
    '{ cmd = "cat " $0; cmd | getline z; print z }',
    "{ n = split($0, a); print a[n] }",
  ],
];
const SED = [
  ...["p", "1d", "s/a/b/", "s/[^/]*$//", "w o.txt", "w a.sh", "s/a/a/w a.sh", "W f", "r f", "1e", "s/.*/&/e", "s/a/e/"],
  ...["$!N;P;D", "/a/w g", "y/a/b/", "1{p;d}", "e cat f", "s|a|b|gw f"],
];
const GIVEN = [
  ...[
    "export X={{x}}",
    "printf '%s\\n' {{x}} > f",
    "printf '%s\\n' {{x}} | tee g > o.txt",
    "cp f g",
    "c={{x}}",
    "X={{x}}",
  ],
];
const RUNS = [
  ...[
    "bash a.sh",
    ". ./a.sh",
    "bash f",
    "cat f | sh",
    "sh < g",
    "bash o.txt",
    "cat a.sh",
    "source ./g",
    "wc -l f",
    "./f",
  ],
  ...[
    "chmod +x f a.sh g; ./f; ./a.sh; ./g",
    "v=$(cat f); $v",
    'v=$(cat f); echo "$v"',
    "xargs bash < f",
    "sed -n -f f g",
  ],
];

function language(dice: Dice): string {
  const awk = `awk ${one(dice, ["", "", "-v c={{x}}", '-v "c=$c"'])} '${one(dice, AWK)}'`;
  const sed = `sed ${one(dice, ["", "-n", "-e", "-n -e"])} '${one(dice, SED)}'`;
  const before = one(dice, ["", "", "X={{x}} ", 'X="$c" ', "env X={{x}} "]);
  const input = one(dice, [" <<< {{x}}", " <<< a", " f", " -- {{x}}", " < f", ' <<< "$X"', " o.txt"]);
  return `${before}${dice.roll(2) === 0 ? awk : sed}${input}${one(dice, ["", "", "", " > f", " | sh", " | cat", " > a.sh"])}`;
}

const IN_FOLDER = [
  ...[
    "./run.sh",
    "bash run.sh",
    "bash < run.sh",
    '"$PWD/run.sh"',
    '"$OLDPWD/run.sh"',
    "make",
    "cat run.sh | bash",
    "ls",
  ],
  ...[
    "wc -l run.sh",
    'for i in *.sh; do bash "$i"; done',
    'for i in ./*.sh; do "$i"; done',
    ". ./run.sh",
    "make -s all",
  ],
  ...[
    "sqlite3 d.db < q.sql",
    "sqlite3 d.db '.read q.sql'",
    "find . -name run.sh -exec bash {} ';'",
    "ls *.sh | xargs bash",
  ],
  ...["sed -f run.sed run.sh", "awk -f run.awk run.sh", "timeout 2 ./run.sh", "PATH=.:$PATH run.sh", "exec ./run.sh"],
  ...[
    "env ./run.sh",
    "v=$(cat run.sh); $v",
    "source run.sh",
    'bash "$(pwd)/run.sh"',
    "cat run.sh",
    "bash -c ./run.sh",
    "find . -execdir ./run.sh ';'",
  ],
];

/** Somewhere that a value names, and what is done there. */
function folder(dice: Dice): string {
  const there = one(dice, IN_FOLDER);
  const quoted = there.replaceAll("'", "'\\''");
  return one(dice, [
    `cd {{x}}; ${there}`,
    `cd {{x}} && ${there}`,
    `(cd {{x}}; ${there})`,
    `(cd {{x}}; ls); ${there}`,
    `env -C {{x}} ${there}`,
    `pushd {{x}}; ${there}; popd`,
    `cd {{x}}; cd /w; ${there}`,
    `OLDPWD={{x}}; cd -; ${there}`,
    `trap '${quoted}' EXIT; cd {{x}}`,
    `cd {{x}}; trap '${quoted}' EXIT`,
    `sh -c 'cd "$1"; ${quoted}' _ {{x}}`,
    `f() { cd "$1"; }; f {{x}}; ${there}`,
    `d={{x}}; cd "$d"; ${there}`,
    `cd {{x}}; env -C d ${there}`,
    `find {{x}} -execdir ./run.sh ';'`,
    `find {{x}} -name '*.sh' -exec bash {} ';'`,
    `find . -path {{x}} -exec bash {} ';'; ${there}`,
  ]);
}

/** Names that are made of a value, printed and split again. */
function names(dice: Dice): string {
  const made = one(dice, [
    "touch ./{{x}}",
    "touch d/{{x}}",
    "printf a > d/{{x}}",
    "mkdir -p d/{{x}}",
    "touch -- {{x}}",
  ]);
  const printed = one(dice, [
    ...[
      "find . -type f",
      "find d",
      "ls",
      "ls d",
      "grep -rl '' .",
      "printf '%s\\n' *",
      "printf '%s\\n' d/*",
      "find . -print0",
    ],
    ...["find d -type f -print0", "find . -printf '%f\\n'", "ls -d d/*", "find . | sed 's/^/cat /'", "find . | sort"],
  ]);
  const user = one(dice, [
    ...[
      "xargs tar cf o.tar",
      "xargs cat",
      "xargs -0 tar cf o.tar",
      "xargs -0 cat --",
      "xargs -I% sh -c 'wc %'",
      "sh",
      "xargs bash",
    ],
    ...[
      "xargs -n1 cat --",
      "while read -r v; do tar cf o.tar $v; done",
      'while read -r v; do tar cf o.tar "$v"; done',
      "cat",
    ],
    ...[
      "awk '{ system(\"cat \" $0) }'",
      "xargs -I% wc -l ./%",
      "tar cf o.tar -T -",
      "xargs -d '\\n' tar cf o.tar",
      "bash -s",
    ],
  ]);
  return dice.roll(3) === 0
    ? `${made}; ${one(dice, ["tar cf o.tar", "cat --", "tar cf o.tar --", "wc -l"])} $(${printed})`
    : `${made}; ${printed} | ${user}`;
}

const CLIENTS = [
  ...["sqlite3 d.db '.read f'", "echo '.read f' | sqlite3 d.db", "sqlite3 d.db < f", "sqlite3 -safe d.db < f"],
  ...["sqlite3 -safe d.db {{x}}", "sqlite3 d.db .tables", "sqlite3 d.db '.import f t'", "sqlite3 d.db '.shell sh f'"],
  ...[
    "sqlite3 d.db '.shell eval \"$X\"'",
    "sqlite3 -cmd {{x}} d.db .tables",
    "sqlite3 -init f d.db .tables",
    "sqlite3 d.db <<< {{x}}",
  ],
  ...[
    "sqlite3 d.db \"select '{{x}}'\"",
    "sqlite3 -separator -safe d.db {{x}}",
    "sqlite3 d.db '.once a.sh' \"select 'a'\"",
  ],
  ...["psql -c '\\! sh f'", "psql -c '\\i f'", "psql -v x={{x}} -c 'select 1'"],
];
const LETTERS = [
  ...[
    "tar cIf {{x}} o.tar d",
    "tar cfI o.tar {{x}} d",
    "tar cf {{x}} d",
    "tar -cf o.tar -- {{x}}",
    "tar cFf {{x}} o.tar d",
  ],
  ...[
    "tar cf o.tar d; tar xIf {{x}} o.tar",
    "tar cvf o.tar -- {{x}}",
    "tar cfT o.tar f",
    "tar cf o.tar -T f",
    "tar cf o.tar --files-from=f",
  ],
  ...[
    "zip -T -TT {{x}} o.zip f",
    "zip -q o.zip f -TT {{x}} -T",
    "zip -T o.zip f; echo {{x}}",
    "sort --compress-program={{x}} f",
  ],
];
const ARGUMENTS = [
  ...[
    "sh -c '$1' _ {{x}}",
    "bash -c '\"$@\"' _ {{x}}",
    "bash -c '\"$0\"' {{x}}",
    "bash -c 'cat \"$1\"' _ {{x}}",
    "bash -c 'eval \"$1\"' _ {{x}}",
  ],
  ...[
    "sh -c 'for a; do $a; done' _ {{x}}",
    "xargs sh -c '\"$1\"' _ {{x}} < f",
    "find . -exec sh -c '$1' _ {{x}} ';'",
    "bash -c 'printf %s \"$*\"' _ {{x}}",
  ],
  ...[
    "X={{x}} bash -c '$X'",
    "X={{x}} bash -c 'echo \"$X\"'",
    'export X={{x}}; bash -c \'awk "BEGIN { system(ENVIRON[\\"X\\"]) }"\'',
    "X={{x}} make",
    "env X={{x}} sh -c 'eval $X'",
  ],
];

/** Scripts whose programs do something themselves with what they come by: languages, folders, names, clients. */
export function actingSoup(dice: Dice): string {
  const lines = Array.from({ length: 1 + dice.roll(4) }, () => {
    switch (dice.roll(9)) {
      case 0:
      case 1:
        return language(dice);
      case 2:
        return one(dice, GIVEN);
      case 3:
        return one(dice, RUNS);
      case 4:
        return folder(dice);
      case 5:
        return names(dice);
      case 6:
        return one(dice, CLIENTS);
      case 7:
        return one(dice, LETTERS);
      default:
        return one(dice, ARGUMENTS);
    }
  });
  const text = lines.join("\n");
  return text.includes("{{x}}")
    ? text
    : `${one(
        dice,
        GIVEN.filter((line) => line.includes("{{x}}")),
      )}\n${text}`;
}
