// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { byName, checkPieces } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { unrollTemplate } from "../../../src/shell/unroll-template.ts";
import { PARAMETERS, problemOf } from "./problem-of.ts";

/** What is refused, and beside it what its author can write. */
type Row = readonly [unsafe: string, safe: string];

/** Programs of which nothing is known: they may be languages, launchers, builds. */
const UNKNOWN: readonly Row[] = [
  ["guile -c {{x}}", "./guile-tool -c {{x}}"],
  ["racket -e {{x}}", "/opt/tools/racket-tool {{x}}"],
  ["jshell <<< {{x}}", "./mytool <<< {{x}}"],
  ["printf %s {{x}} | sbcl --script /dev/stdin", "printf %s {{x}} | ./filter"],
  ["mvn {{x}}", "mvn test; echo {{x}}"],
  ["gradle {{x}}", "gradle build --max-workers {{n}}"],
  ["mvn -D{{x}} test", "mvn -Dmode={{e}} test"],
  ["hyperfine {{x}}", 'here=$(dirname "$0"); "$here/mytool" {{x}}'],
  ["timeout 5 mytool {{x}}", "timeout 5 ./mytool {{x}}"],
  ["npx some-tool {{x}}", "npx prettier --stdin-filepath a.ts < {{x}}"],
  ["find . -exec mytool {{x}} ';'", "find . -exec ./mytool {{x}} ';'"],
  ["A={{x}} mytool", "A={{x}} printenv A"],
  ["export A={{x}}; mytool", "export A={{x}}; ./mytool"],
  ["env A={{x}} mytool", "env A={{x}} ./mytool"],
  ["cd {{x}}; mytool", "cd {{e}}; mytool"],
  ["printf %s {{x}} > in.tex; latexmk in.tex", "printf %s {{x}} > in.tex; wc -l in.tex"],
  ["printf %s {{x}} > .latexmkrc; latexmk", "printf %s {{x}} > notes.txt; latexmk"],
  ["printf %s {{x}} > tool.config.mjs; mytool", "printf %s {{x}} > data.json; mytool"],
  ["printf %s {{x}} > package.json; mytool", "printf %s {{x}} > out.csv; mytool"],
  ['run() { mytool "$@"; }; run {{x}}', 'run() { ./mytool "$@"; }; run {{x}}'],
  ["/usr/bin/guile -c {{x}}", "/opt/tool/bin/run -c {{x}}"],
  ["node_modules/.bin/jest {{x}}", "node_modules/.bin/prettier --stdin-filepath a.ts < {{x}}"],
  ["python3 -m nox -s {{x}}", "python3 -m zipfile -l {{x}}"],
  ["history -s {{x}}; fc -s", "history; echo {{x}}"],
  ["yt-dlp --exec {{x}} u", "tool.py --exec {{x}}"],
];

const AWK: readonly Row[] = [
  ["X={{x}} awk 'BEGIN { system(ENVIRON[\"X\"]) }'", "X={{x}} awk 'BEGIN { print ENVIRON[\"X\"] }'"],
  ["export X={{x}}; awk '{ system(ENVIRON[\"X\"]) }' f", "export X={{x}}; awk '{ print ENVIRON[\"X\"] }' f"],
  ["awk '{ system(ARGV[1]) }' {{x}}", "awk '{ print ARGV[1] }' {{x}}"],
  ["awk -v c={{x}} 'BEGIN { system(c) }'", "awk -v c={{x}} 'BEGIN { print c }'"],
  ["awk -v c={{x}} 'BEGIN { c | getline y }'", "awk -v c={{x}} 'BEGIN { \"date\" | getline y; print y, c }'"],
  ["awk -v c={{x}} '{ print | c }' f", "awk -v c={{x}} '{ print c | \"sort -n\" }' f"],
  ["awk -v c={{x}} '{ print | \"sh\" }' f", "awk -v c={{x}} '{ print c | \"uniq\" }' f"],
  ['awk \'{ print "a " $1 | ("sort " $2) }\' <<< {{x}}', 'awk \'{ print "a " $1 | "sort" }\' <<< {{x}}'],
  ["awk '{ print |& \"cat\" }' <<< {{x}}", "awk '{ print $1 || $2 }' <<< {{x}}"],
  [
    "printf '%s\\n' {{x}} > l; awk 'BEGIN { while ((getline l < \"l\") > 0) system(l) }'",
    "printf '%s\\n' {{x}} > l; awk 'BEGIN { while ((getline l < \"l\") > 0) print l }'",
  ],
  [
    "touch ./{{x}}; find . -type f | awk '{ system(\"cat \" $0) }'",
    "touch ./{{x}}; find . -type f | awk '{ print $0 }'",
  ],
  ['awk "{ system(\\"$P \\" \\$1) }" <<< {{x}}', 'awk "{ print \\"$P \\" \\$1 }" <<< {{x}}'],
  ["awk '@include \"lib\"; { print }' {{x}}", "awk '/a@b/ { print }' {{x}}"],
  ["awk '{ print > \"a.sh\" }' <<< {{x}}; bash a.sh", "awk '{ print > \"a.txt\" }' <<< {{x}}; bash a.sh"],
  ['awk \'{ printf("%s", $0) >> "a.sh" }\' {{x}}; ./a.sh', 'awk \'{ printf("%s", $0) >> "a.txt" }\' {{x}}; ./a.sh'],
  ["awk '{ print > $1 \".sh\" }' <<< {{x}}; bash a.sh", "awk '{ print $1 > \"/dev/stderr\" }' <<< {{x}}; bash a.sh"],
  ["awk '{ print > f }' f=a.sh {{x}}; bash a.sh", "awk '{ if ($1 > 3) print }' {{x}}; bash a.sh"],
];

const SED: readonly Row[] = [
  ["sed -n 'w a.sh' <<< {{x}}; bash a.sh", "sed -n 'w a.txt' <<< {{x}}; bash a.sh"],
  ["sed 's/a/b/w a.sh' <<< {{x}}; bash a.sh", "sed 's/a/b/w a.txt' <<< {{x}}; bash a.sh"],
  ["sed -n '/a/W run' <<< {{x}}; ./run", "sed -n '/a/W run.log' <<< {{x}}; ./run"],
  ["sed -e 's/a/b/gw a.sh' {{x}}; . ./a.sh", "sed -e 's/a/b/g' {{x}}; . ./a.sh"],
  ["printf %s {{x}} > l; sed 'r l' f | bash", "printf %s {{x}} > l; sed 's/r l/a/' f | bash"],
  ['b=c; sed "s/a/$b/w a.sh" <<< {{x}}; bash a.sh', 'b=c; sed "s/a/$b/" <<< {{x}}; bash a.sh'],
  ['sed "s/$B/b/e" <<< {{x}}', 'sed "s/$B/b/g" <<< {{x}}'],
  ["sed -i '1r /dev/stdin' run.sh <<< {{x}}; bash run.sh", "sed -i '1r /dev/stdin' run.txt <<< {{x}}; bash run.sh"],
  ["sed '1e' {{x}}", "sed '1d' {{x}}"],
  ["sed 's/.*/&/e' <<< {{x}}", "sed 's/.*/&e/' <<< {{x}}"],
  ["sed 'v 4.2' {{x}}", "sed 'y/abc/xyz/' {{x}}"],
  ["sed 's|[|]|x|e' <<< {{x}}", "sed 's/[/]/x/g' <<< {{x}}"],
];

const FOLDERS: readonly Row[] = [
  ["env -C {{x}} ./run.sh", "env -C {{x}} ls"],
  ["cd {{x}}; env -S ./run.sh", "cd {{x}}; env ls"],
  ["cd {{x}}; flock l -c ./run.sh", "cd {{x}}; flock l ls"],
  ["env --chdir={{x}} bash run.sh", "env --chdir=/opt ls -- {{x}}"],
  ["sudo -D {{x}} ./run.sh", "sudo -D /opt ./run.sh {{x}}"],
  ["chroot {{x}} ls", "chroot /srv ls -- {{x}}"],
  ["sudo -R {{x}} ls", "sudo -u {{x}} ls"],
  ["cd {{x}}; bash < run.sh", "cd {{x}}; bash < /opt/run.sh"],
  ["cd {{x}}; cat run.sh | bash", "cd {{x}}; cat run.sh | wc -l"],
  ['cd {{x}}; "$PWD/run.sh"', 'cd {{x}}; cat "$PWD/run.sh"'],
  ['cd {{x}}; d=$PWD; cd /; "$d/run.sh"', 'cd {{x}}; d=$PWD; cd /; ls "$d"'],
  ['cd {{x}}; cd /; "$OLDPWD/run.sh"', 'cd {{x}}; cd /; ls "$OLDPWD"'],
  ["OLDPWD={{x}}; cd -; ./run.sh", "cd -; ./run.sh {{x}}"],
  ["cd {{x}}; trap './clean.sh' EXIT", "cd {{x}}; trap '/opt/clean.sh' EXIT"],
  ["trap 'bash run.sh' EXIT; cd {{x}}; ls", "trap 'rm -f a' EXIT; cd {{x}}; ls"],
  ["trap make EXIT; cd {{x}}", "trap ls EXIT; cd {{x}}"],
  ["cd {{x}} && make", "cd {{e}} && make"],
  ["cd {{x}} && npm test", "(cd {{x}} && ls); npm test"],
  ["cd {{x}} && cargo build", "cd out/{{n}} && cargo build"],
  ["cd {{x}} && docker compose up", "cd {{x}} && du -sh ."],
  ["cd {{x}} && git status", "cd {{e}} && git status"],
  ["git -C {{x}} status", "git -C {{e}} status"],
  ["cd {{x}} && python3 -c 'import json'", "cd {{x}} && python3 /opt/tool.py"],
  ["cd {{x}} && node -e 'require(\"x\")'", "cd {{x}} && perl -e 'print 1'"],
  ['cd {{x}}; for f in *.sh; do bash "$f"; done', 'cd {{x}}; for f in *.sh; do wc -l "$f"; done'],
  ["cd {{x}}; env -C d PATH=.:$PATH run.sh", "cd {{x}}; env PATH=/opt/bin:$PATH ls"],
  ['pushd {{x}}; for i in ./*.sh; do "$i"; done', 'pushd {{x}}; for i in ./*.sh; do wc "$i"; done'],
  ["cd {{x}}; trap 'bash -c ./run.sh' EXIT", "cd {{x}}; trap 'bash -c ls' EXIT"],
  ["PATH=./bin:$PATH; cd {{x}}; run", "cd {{x}}; ls"],
  ["cd {{x}}; sqlite3 db < q.sql", "cd {{x}}; sqlite3 /srv/db < /opt/q.sql"],
  ["cd {{x}}; sqlite3 db '.read q.sql'", "cd {{x}}; sqlite3 /srv/db '.read /opt/q.sql'"],
  ["find {{x}} -execdir ./run.sh ';'", "find {{x}} -execdir ls -l {} ';'"],
  ["sh -c 'cd \"$1\" && ./run.sh' _ {{x}}", "sh -c 'cd \"$1\" && ls' _ {{x}}"],
];

const NAMES: readonly Row[] = [
  ["touch ./{{x}}; find . -type f | xargs sort", "touch ./{{x}}; find . -type f -print0 | xargs -0 sort"],
  ["touch n/{{x}}; grep -rl foo n | xargs sort", "touch n/{{x}}; grep -rlZ foo n | xargs -0 sort"],
  ["touch n/{{x}}; sort $(find n -type f)", "touch n/{{x}}; sort -- $(find n -type f)"],
  ["touch n/{{x}}; fs=$(find n -type f); sort $fs", 'touch n/{{x}}; fs=$(find n -type f); echo "$fs"'],
  ['touch n/{{x}}; for f in $(find n -type f); do sort "$f"; done', 'touch n/{{x}}; for f in n/*; do sort "$f"; done'],
  [
    'touch n/{{x}}; find n -type f | while read -r f; do sort "$f"; done',
    'touch n/{{x}}; find n -type f | while read -r f; do sort -- "$f"; done',
  ],
  ["touch n/{{x}}; find n -type f > list; xargs sort < list", "touch n/{{x}}; find n -type f > list; wc -l list"],
  ["touch n/{{x}}; find n | sed 's/^/cat /' | sh", "touch n/{{x}}; find n | sed 's/^/cat /' | cat"],
  ["touch n/{{x}}; du -a n | cut -f2 | xargs sort", "touch n/{{x}}; du -a n | cut -f2 | head"],
  ["touch ./{{x}}; find . -print0 | sh", "touch ./{{x}}; find . -print0 | cat"],
  ["touch ./{{x}}; find . -print0 | xargs -0 sh -c", "touch ./{{x}}; find . -print0 | xargs -0 cat"],
  ["touch ./{{x}}; find . -print0 | xargs sort", "touch ./{{x}}; find . -print0 | xargs -0 sort"],
  ["xargs -a {{x}} rm", "xargs -a {{x}} rm --"],
  ["find . -name {{x}} -exec bash {} ';'", "find . -name {{x}} -exec cat {} ';'"],
  ["find . -newer {{x}} -exec {} ';'", "find . -newer {{x}} -print"],
  ["fd {{x}} -x bash", "fd {{x}} -x cat"],
  [
    "printf '%s\\n' {{x}} > l; find . -name l -exec bash {} ';'",
    "printf '%s\\n' {{x}} > l; find . -name l -exec cat {} ';'",
  ],
  ["printf '%s\\n' {{x}} > l; ls | xargs -n1 bash", "printf '%s\\n' {{x}} > l; ls | xargs -n1 wc -l"],
];

const CLIENTS: readonly Row[] = [
  ["printf %s {{x}} > q.sql; sqlite3 db '.read q.sql'", "printf %s {{x}} > q.csv; sqlite3 db '.import q.csv t'"],
  ["printf %s {{x}} > q.sql; echo '.read q.sql' | sqlite3 db", "printf %s {{x}} > q.sql; echo '.tables' | sqlite3 db"],
  ["X={{x}} sqlite3 db '.shell eval \"$X\"'", "X={{x}} sqlite3 db '.tables'"],
  ["printf %s {{x}} > q; sqlite3 db '.import \"|sh q\" t'", "printf %s {{x}} > q; sqlite3 db '.import q t'"],
  ["sqlite3 -cmd {{x}} -safe db", "sqlite3 -safe -cmd {{x}} db"],
  ["sqlite3 -separator -safe db {{x}}", "sqlite3 -separator : -safe db {{x}}"],
  ["printf %s {{x}} > q.sql; psql -c '\\i q.sql'", "printf %s {{x}} > q.csv; psql -c '\\copy t from q.csv'"],
  ["X={{x}} psql -c '\\! eval \"$X\"'", "X={{x}} psql -c 'select 1'"],
  ["psql -v x={{x}} <<'EOF'\nselect :x\nEOF", "psql -v x={{x}} <<'EOF'\nselect :'x', a::text, :\"x\"\nEOF"],
  ["psql -X -v x={{x}} <<'EOF'\n\\set y `echo :x`\nEOF", "psql -X -v x={{x}} <<'EOF'\n\\set y 1\nEOF"],
  ["printf %s {{x}} > q.sql; mysql -e 'source q.sql'", "printf %s {{x}} > q.sql; mysql -e 'select 1'"],
  [
    "sqlite3 db '.once a.sh' 'select 1' <<< a; printf %s {{x}} > f; X={{x}} sqlite3 db '.once f' .dump; bash f",
    "sqlite3 db '.once a.csv' 'select 1'; echo {{x}}",
  ],
  [
    "printf %s {{x}} > e.so; sqlite3 db \"select load_extension('./e')\"",
    "printf %s {{x}} > a.txt; sqlite3 db 'select 1'",
  ],
  [
    "printf %s {{x}} > q; sqlite3 db \"select writefile('a.sh', readfile('q'))\"; bash a.sh",
    "printf %s {{x}} > q; sqlite3 db \"select writefile('a.txt', readfile('q'))\"; bash a.sh",
  ],
  ["redis-cli eval {{x}} 0", "redis-cli get {{x}}"],
  ["redis-cli set k {{x}}; redis-cli get k | sh", "redis-cli set k {{x}}; redis-cli get k | wc -c"],
  ["printf %s {{x}} > ~/.psqlrc; psql -c 'select 1'", "printf %s {{x}} > ~/notes.txt; psql -c 'select 1'"],
  ["printf %s {{x}} > ~/.sqliterc; sqlite3 db .tables", "printf %s {{x}} > ~/a.txt; sqlite3 db .tables"],
  ["printf %s {{x}} > ~/.ssh/config; ssh host ls", "printf %s {{x}} > ~/a.txt; ssh host ls"],
  ["printf %s {{x}} > ~/.bashrc; bash -l a.sh", "printf %s {{x}} > ~/a.txt; bash -l a.sh"],
];

const LETTERS: readonly Row[] = [
  ["tar cIf {{x}} a.tar b", "tar cf {{x}} b"],
  ["tar cfI a.tar {{x}} b", "tar cvf a.tar -- {{x}}"],
  ["tar cfF a.tar {{x}} b", "tar czf a.tgz -- {{x}}"],
  ["tar xvIf {{x}} a.tar", "tar xvfC a.tar {{x}}"],
  ["tar cfT a.tar {{x}}", "tar tvf a.tar -- {{x}}"],
  ["printf %s {{x}} | sudo tee a.sh; bash a.sh", "printf %s {{x}} | sudo tee a.txt; bash a.sh"],
  ["find . -name {{x}} -fprint a.sh; bash a.sh", "find . -name {{x}} -fprint a.txt; bash a.sh"],
  ["git log --format={{x}} --output=a.sh; bash a.sh", "git log --format={{x}} --output=a.txt; bash a.sh"],
  ["find . -exec cp {{x}} run.sh ';'; bash run.sh", "find . -exec cp {{x}} run.txt ';'; bash run.sh"],
  ["printf '%s\\n' {{x}} > l; xargs -a l tar cf o.tar", "printf '%s\\n' {{x}} > l; xargs -a l tar cf o.tar --"],
  ["PYTHONUSERBASE={{x}} python3 a.py", "QUERY={{x}} python3 a.py"],
  ["PYTEST_ADDOPTS={{x}} pytest", "NODE_ENV={{x}} node a.js"],
  ["printf %s {{x}} > f; zip a.zip b -T -TT 'sh f'", "printf %s {{x}} > f; zip a.zip b -T -TT 'sh g'"],
  ["X={{x}} tar -xf a.tar --to-command='eval $X'", "X={{x}} tar -xf a.tar --to-command='wc -l'"],
  ["go env -w CC={{x}}", "go test -run {{x}}"],
  ["docker exec -w {{x}} c ./run.sh", "docker exec -w {{x}} c ls"],
  ["pandoc -t {{x}} a.md", "pandoc -t html -o ./{{x}} a.md"],
  ["helm {{x}}", "helm status -- {{x}}"],
  ["convert a.png -draw \"text 0,0 '{{x}}'\" b.png", "convert a.png -resize {{n}} ./{{x}}"],
  ["zip -T -TT {{x}} a b", "zip -T a.zip -- {{x}}"],
  ["cpio -o --rsh-command={{x}}", "printf '%s\\n' {{x}} | cpio -o"],
  ["install -s --strip-program={{x}} a b", "install -m 644 -- {{x}} b"],
  ["rename {{x}} a", "rename 's/a/b/' ./{{x}}"],
  ["openssl req -config {{x}}", "openssl dgst -sha256 ./{{x}}"],
  ["gcc @{{x}}", "gcc ./{{x}}"],
  ["scp host:{{x}} .", "scp ./{{x}} host:"],
  ["rsync -a host:{{x}} .", "rsync -a ./{{x}} host:b"],
  ["ffmpeg -i a -vf {{x}} b", "ffmpeg -i ./{{x}} b"],
  ["eslint --config {{x}} .", "eslint -- {{e}}"],
  ["cargo {{x}}", "cargo run --bin {{x}}"],
  ["X={{x}} make", "X={{x}} printenv X; make"],
];

const SHELLS: readonly Row[] = [
  ["sh -c '$1' _ {{x}}", "sh -c 'cat -- \"$1\"' _ {{x}}"],
  ["bash -c '\"$@\"' _ {{x}}", "bash -c 'printf %s \"$@\"' _ {{x}}"],
  ["bash -c '\"$0\"' {{x}}", "bash -c 'printf %s \"$0\"' {{x}}"],
  ["find . -exec sh -c '\"$1\"' _ {{x}} ';'", "find . -exec sh -c 'cat \"$1\"' _ {} ';'"],
  ["xargs sh -c '\"$1\"' _ {{x}} < f", "xargs sh -c 'cat -- \"$1\"' _ {{x}} < f"],
  ["bash -s -- {{x}} <<'EOF'\n\"$1\"\nEOF", "bash -s -- {{x}} <<'EOF'\necho \"$1\"\nEOF"],
  ["X={{x}} bash <<'EOF'\n$X\nEOF", "X={{x}} bash <<'EOF'\necho \"$X\"\nEOF"],
  ["echo '\"$1\"' | bash -s -- {{x}}", "echo 'echo \"$1\"' | bash -s -- {{x}}"],
  ["builtin read -r v <<< {{x}}; $v", 'builtin read -r v <<< {{x}}; echo "$v"'],
  ["builtin declare v={{x}}; $v", "v={{x}}; echo $v"],
  ['r=read; "$r" -r v <<< {{x}}; $v', 'read -r v <<< {{x}}; echo "$v"'],
  ['c=cd; "$c" {{x}}; ./run.sh', 'c=cd; "$c" {{x}}; ls'],
  ["timeout 5 bash -c '${1}' _ {{x}}", "timeout 5 bash -c 'echo \"${1}\"' _ {{x}}"],
];

/** What the script writes out itself and then runs, and ways round. */
const ROUND: readonly Row[] = [
  ["cat > p.sh <<'EOF'\neval \"$1\"\nEOF\nbash p.sh {{x}}", "cat > p.sh <<'EOF'\ncat \"$1\"\nEOF\nbash p.sh {{x}}"],
  ["printf '$1' > p.sh; chmod +x p.sh; ./p.sh {{x}}", "printf 'cat $1' > p.sh; bash q.sh {{x}}"],
  [
    "cat > p.awk <<'EOF'\n{ system($0) }\nEOF\nawk -f p.awk {{x}}",
    "cat > p.awk <<'EOF'\n{ print $0 }\nEOF\nawk -f p.awk {{x}}",
  ],
  ['f() { local c="$1"; shift; awk "$c" "$@"; }; f \'{ print }\' <<< {{x}}', "awk '{ print }' <<< {{x}}"],
  ['perl -e "$CODE" {{x}}', "perl -e 'print' {{x}}"],
  ["set -a; X={{x}}; mytool", "X={{x}}; mytool"],
  ["X={{x}} envsubst < t.in > t.sh; bash t.sh", "X={{x}} envsubst < t.in > t.txt; bash t.sh"],
  ["export X={{x}}; envsubst < t.in | sh", "export X={{x}}; envsubst < t.in | cat"],
  ["docker exec c sh -c 'eval \"$1\"' _ {{x}}", "docker exec c sh -c 'cat \"$1\"' _ {{x}}"],
  ["docker exec -e X={{x}} c sh -c 'eval \"$X\"'", "docker exec -e X={{x}} c sh -c 'echo \"$X\"'"],
  ["printf %s {{x}} > f; sed -n 'w a.sh' f; bash a.sh", "printf %s {{x}} > f; sed -n 'w a.txt' f; bash a.sh"],
  ["hash -p ./run ls; printf %s {{x}} > run; ls", "hash -r; printf %s {{x}} > run.txt; ls"],
  ["v={{x}}; PS4='$($v)'; set -x; ls", "v={{x}}; PS4='+ '; set -x; ls"],
  ["wc() { cat; }; n=$(wc -l < {{x}}); echo $((n))", "n=$(wc -l < {{x}}); echo $((n))"],
  ["printf %s {{x}} > d/a.txt; find d -exec cat {} + | bash", "printf %s {{x}} > d/a.txt; find d -exec cat {} + | wc"],
  ["printf %s {{x}} > d/a.txt; grep -rh . d | bash", "printf %s {{x}} > d/a.txt; grep -h . d/b.txt | bash"],
  ["printf %s {{x}} | gzip > a.gz; gunzip a.gz; bash a", "printf %s {{x}} | gzip > a.gz; gunzip -t a.gz; wc -c a"],
  [
    'd=$(mktemp -d); printf %s {{x}} > "$d/Makefile"; make -C "$d"',
    'd=$(mktemp -d); printf %s {{x}} > "$d/Makefile"; wc -l "$d/Makefile"',
  ],
  ['t=$(mktemp); printf %s {{x}} > "$t"; chmod +x "$t"; "$t"', 't=$(mktemp); printf %s {{x}} > "$t"; ls "$t"'],
  ['t=$(mktemp); printf %s {{x}} > "$t"; exec "$t"', 't=$(mktemp); printf %s {{x}} > "$t"; exec cat "$t"'],
  ["printf %s {{x}} > a.so; LD_PRELOAD=./a.so ls", "printf %s {{x}} > a.txt; LANG=./a.txt ls"],
  ["printf %s {{x}} > conf; git -c include.path=../conf status", "printf %s {{x}} > a.txt; git status"],
  ["zsh -c '$1' _ {{x}}", "zsh tool.zsh {{x}}"],
  ["Rscript -e 'system(commandArgs(TRUE)[1])' {{x}}", "Rscript tool.R {{x}}"],
  ["python3 -c 'import subprocess as s' {{x}}", "python3 -c 'import json as s' {{x}}"],
];

/** Code that its author has written out in a language that is not read: words by which texts are run. */
const INLINE: readonly Row[] = [
  ["python3 -c 'import sys; exec(sys.argv[1])' {{x}}", "python3 -c 'import sys; print(sys.argv[1])' {{x}}"],
  [
    "python3 -c 'import os, sys; os.system(sys.argv[1])' {{x}}",
    "python3 -c 'import os, sys; os.stat(sys.argv[1])' {{x}}",
  ],
  [
    "python3 - {{x}} <<'EOF'\nimport sys\neval(sys.argv[1])\nEOF",
    "python3 - {{x}} <<'EOF'\nimport sys\nprint(len(sys.argv[1]))\nEOF",
  ],
  [
    "X={{x}} python3 -c 'import os; exec(os.environ[\"X\"])'",
    "X={{x}} python3 -c 'import os; print(os.environ[\"X\"])'",
  ],
  [
    "printf %s {{x}} > l; python3 -c 'exec(open(\"l\").read())'",
    "printf %s {{x}} > l; python3 -c 'print(open(\"l\").read())'",
  ],
  ["printf %s {{x}} > l; perl -e 'do \"./l\"'", "printf %s {{x}} > l; perl -e 'print 1'"],
  ["printf %s {{x}} > l; node -e 'require(\"./l\")'", "printf %s {{x}} > l; node -e 'require(\"fs\")'"],
  ["node -e 'eval(process.argv[1])' {{x}}", "node -e 'console.log(process.argv[1])' {{x}}"],
  ["perl -e 'open(F, $ARGV[0])' {{x}}", "perl -e 'print $ARGV[0]' {{x}}"],
  ["X={{x}} perl -pe 's/a/$ENV{X}/e' f", "X={{x}} perl -pe 's/a/$ENV{X}/' f"],
  ["perl -F, -lane {{x}} < f", "perl -F, -lane 'print $F[0]' < {{x}}"],
  ["ruby -e 'system ARGV[0]' {{x}}", "ruby -e 'puts ARGV[0]' {{x}}"],
  [
    'python3 -c \'import sys; open("a.sh", "w").write(sys.argv[1])\' {{x}}; bash a.sh',
    'python3 -c \'import sys; open("a.txt", "w").write(sys.argv[1])\' {{x}}; bash a.sh',
  ],
];

const ALL: readonly (readonly [string, readonly Row[]])[] = Object.entries({
  "a program that no table knows": UNKNOWN,
  "code of awk": AWK,
  "code of sed": SED,
  "a folder that a value names": FOLDERS,
  "a name that comes back": NAMES,
  "a client's own commands": CLIENTS,
  "options of programs": LETTERS,
  "a shell's arguments": SHELLS,
  "code of other languages": INLINE,
  "what is written and run": ROUND,
});

for (const [name, rows] of ALL)
  describe(name, () => {
    it.each(rows)("is refused with its place: %j, and not beside it: %j", (unsafe, safe) => {
      const problem = problemOf(unsafe);
      expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problem?.hint).not.toBe("");
      expect(unsafe.slice(problem?.at)).toMatch(/^\{\{/);
      expect(problemOf(safe)).toBeNull();
    });
  });

it("what is let in is let in with its values absent, too", () => {
  const declared = byName(PARAMETERS);
  for (const [, safe] of ALL.flatMap(([, rows]) => rows)) {
    const checked = checkTemplate(safe, PARAMETERS);
    if (!checked.ok) throw new Error(safe);
    expect([safe, checkPieces(unrollTemplate(checked.template.nodes, {}), declared)]).toMatchObject([
      safe,
      { ok: true },
    ]);
  }
});

describe("the author's word", () => {
  it.each([
    "mytool --name {{x}}",
    "mytool -e {{x}} --eval={{y}}",
    'mytool $OPTIONS --name "{{x}}" <<< {{y}}',
    'args=(--verbose)\n{{#b}}args+=(--all){{/b}}\nmytool "${args[@]}" -- {{x}}',
    'run() { mytool "$@"; }\nrun a {{x}}',
    "timeout 5 mytool {{x}}",
    "export A={{x}}; cd {{y}}; mytool",
    "printf %s {{x}} > tool.config.mjs; mytool",
  ])("that all is data to a program is asked for, and taken: %s", (template) => {
    expect(problemOf(template)).toMatchObject({
      code: "TEMPLATE_UNSAFE_SLOT",
      hint: expect.stringContaining("`data_for: [mytool]`"),
    });
    expect(problemOf(template, ["mytool"])).toBeNull();
  });

  it("opens no place that is known to be code", () => {
    for (const [template, name] of [
      ["python3 -c {{x}}", "python3"],
      ["git -c {{x}} status", "git"],
      ["cd {{x}}; make", "make"],
      ["mytool | bash <<< {{x}}", "mytool"],
      ["mytool {{x}} > a.sh; bash a.sh", "mytool"],
      ["cd {{x}}; ./mytool", "mytool"],
      ["{{x}} a", "mytool"],
    ] as const)
      expect(problemOf(template, [name])?.code).toBe("TEMPLATE_UNSAFE_SLOT");
  });

  it("may be that folders are git's own", () => {
    expect(problemOf("git -C {{x}} log --oneline", ["git"])).toBeNull();
    expect(problemOf("cd {{x}} && git status", ["git"])).toBeNull();
  });
});

describe("numbers", () => {
  it.each([
    "echo $(( {{n}} + 1 ))",
    'echo "$(( {{n}} * 60 ))"',
    "(( {{n}} > 3 )) && echo {{x}}",
    "for (( i = 0; i < {{n}}; i++ )); do echo {{x}}; done",
    "[[ {{n}} -gt 3 ]] && echo {{x}}",
    "start=$(date +%s); cat -- {{x}}; echo $(( $(date +%s) - start ))",
    "a=$(date +%s); cat -- {{x}}; b=$(date +%s); echo $((b - a))",
    "n=$(wc -l < {{x}}); echo $((n + 1))",
    "s=$(stat -c %s -- {{x}}); echo $((s / 1024))",
    "n=$(cat -- {{x}} | wc -l); echo $((n + 1))",
    'r=$(jq -n --arg a {{x}} .); curl -d "$r" https://a.example',
    "pip show -- {{x}}",
    "python3 -m pytest -k {{x}}",
    "python3 -m pip show -- {{x}}",
  ])("and what only looks like code are let in: %s", (template) => {
    expect(problemOf(template)).toBeNull();
  });

  it.each([
    "echo $(( {{x}} + {{n}} ))",
    "echo $(( {{n|default('a')}} + 1 ))",
    "(( {{n}} + {{x}} ))",
    "[[ {{n}} -gt {{x}} ]]",
    "n=$(wc -l {{x}}); echo $((n))",
    "n=$(cat -- {{x}}); echo $((n))",
    "n=$(date +%s -d {{x}}; cat -- {{x}}); echo $((n))",
    "python3 -m pytest -p {{x}}",
    "python3 -m pip install -r {{x}}",
    "python3 -m timeit {{x}}",
  ])("and nothing else: %s", (template) => {
    expect(problemOf(template)?.code).toBe("TEMPLATE_UNSAFE_SLOT");
  });
});
