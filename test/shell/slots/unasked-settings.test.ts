// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

type Row = readonly [unsafe: string, safe: string];

/** `sqlite3 -safe` obeys its settings before it is told to be safe. */
const BEFORE_SAFE: readonly Row[] = [
  ["sqlite3 -safe -init {{x}} db 'select 1'", "sqlite3 -safe -init own.sql db {{x}}"],
  ["printf %s {{x}} > q.sql; sqlite3 -safe -init q.sql db", "printf %s {{x}} > q.txt; sqlite3 -safe -init own.sql db"],
  ["printf %s {{x}} > ~/.sqliterc; sqlite3 -safe db", "printf %s {{x}} > ~/.sqlnotes; sqlite3 -safe db"],
  ["mysql --sandbox --defaults-extra-file={{x}} db", "mysql --sandbox --defaults-file=own.cnf -e {{x}} db"],
  ["printf %s {{x}} > ~/.my.cnf; mysql --sandbox db", "printf %s {{x}} > my.txt; mysql --sandbox db"],
  ["sqlite3 -safe -frobnicate {{x}} db", "sqlite3 -safe -separator {{x}} db 'select 1'"],
];

/** A file's name may stand in one word with its option. */
const GLUED: readonly Row[] = [
  ["printf %s {{x}} > a.sed; sed -fa.sed f", "printf %s {{x}} > b.sed; sed -fa.sed f"],
  ["printf %s {{x}} > a.sed; sed --file=a.sed f", "printf %s {{x}} > b.sed; sed --file=a.sed f"],
  ["printf %s {{x}} > a.awk; awk -fa.awk f", "printf %s {{x}} > b.awk; awk -fa.awk f"],
  ["printf %s {{x}} > a.sql; psql -qfa.sql", "printf %s {{x}} > b.sql; psql -qfa.sql"],
  ["printf %s {{x}} > a.sql; psql --file=a.sql", "printf %s {{x}} > b.sql; psql --file=a.sql"],
  ["printf %s {{x}} > a; make -fa", "printf %s {{x}} > b; make -fa"],
  ["printf %s {{x}} > a.jq; jq --from-file=a.jq f", "printf %s {{x}} > b.txt; jq --from-file=a.jq f"],
  ["printf %s {{x}} > a; curl -sKa https://a.example", "printf %s {{x}} > b; curl -sKa https://a.example"],
  ["printf %s {{x}} > a; tar cf a.tar --files-from=a", "printf %s {{x}} > b; tar cf a.tar --exclude=a c"],
  ["printf %s {{x}} > a.js; node --require=./a.js b", "printf %s {{x}} > a.txt; node --require=./a.js b"],
  [
    'd=$(pwd); printf %s {{x}} > a.sed; sed --file="$d/a.sed" f',
    'd=$(pwd); printf %s {{x}} > b.txt; sed --file="$d/a.sed" f',
  ],
  ["cd {{x}}; sed --file=a.sed f", "cd {{x}}; sed --file=/opt/a.sed f"],
];

/** What names a program may name a file that values were written to. */
const NAMED: readonly Row[] = [
  ["printf %s {{x}} > a; scp -F a f host:", "printf %s {{x}} > a; scp -F b f host:"],
  ["printf %s {{x}} > a; sftp -ba host", "printf %s {{x}} > a; sftp -bb host"],
  ["printf %s {{x}} > a; git rebase -x ./a HEAD~2", "printf %s {{x}} > a; git rebase -x ./b HEAD~2"],
  ["printf %s {{x}} > a; sort --compress-program=./a f", "printf %s {{x}} > a; sort --compress-program=gzip a"],
  ["printf %s {{x}} > a; env -S 'bash a'", "printf %s {{x}} > a; env -S 'cat b'"],
  [
    "printf %s {{x}} > a; export KUBECONFIG=$PWD/a; kubectl get pods",
    "printf %s {{x}} > a; export KUBECONFIG=$PWD/b; kubectl get pods",
  ],
  ["printf %s {{x}} > a.vim; vim -es -Sa.vim", "printf %s {{x}} > b.txt; vim -es -Sa.vim"],
  ["printf %s {{x}} > a; gcc @a", "gcc @b; cat {{x}}"],
];

/** What is compiled is run by another name. */
const COMPILED: readonly Row[] = [
  ["printf %s {{x}} > a.c; gcc a.c && ./a.out", "printf %s {{x}} > a.c; gcc -fsyntax-only a.c"],
  ["printf %s {{x}} > a.h; gcc a.c -o b && ./b", "printf %s {{x}} > a.h; gcc a.c -o b"],
  ["printf %s {{x}} > a.c; cc -c a.c; ld a.o -o b; ./b", "gcc a.c -o b; ./b {{x}}"],
  ["printf %s {{x}} > A.java; javac A.java; java A", "javac A.java; java A {{x}}"],
];

/** What the template itself writes for a client is read like what it is told. */
const OWN_TEXT: readonly Row[] = [
  [
    "cat > a.sql <<'E'\nselect :x;\nE\npsql -v x={{x}} -f a.sql",
    "cat > a.sql <<'E'\nselect :'x';\nE\npsql -v x={{x}} -f a.sql",
  ],
  [
    "cat > a.sql <<'E'\n\\! :x\nE\npsql -v x={{x}} -qfa.sql",
    "cat > a.sql <<'E'\nselect :'x';\nE\npsql -v x={{x}} -qfa.sql",
  ],
  [
    "cat > a.sql <<'E'\nselect :x;\nE\npsql -v x={{x}} --file=./a.sql",
    "cat > b.sql <<'E'\nselect :x;\nE\npsql -v x={{x}} --file=./a.sql",
  ],
  [
    "printf %s {{x}} > b; cat > a.sql <<'E'\n.read b\nE\nsqlite3 db < a.sql",
    "cat > a.sql <<'E'\n.read b\nE\nsqlite3 db < a.sql; cat {{x}}",
  ],
  ["python3 -W {{x}} a.py", "python3 -W error a.py {{x}}"],
  ["python3 -X {{x}} a.py", "python3 -X utf8 a.py {{x}}"],
];

/** Files with variables of the environment: one of them is how the program is told what to load. */
const VARIABLES: readonly Row[] = [
  ['echo "X={{x}}" > .env; node --env-file=.env a.js', 'echo "X={{x}}" > a.txt; node --env-file=.env a.js a.txt'],
  ['echo "X={{x}}" > b; node --env-file-if-exists=./b a.js', "node --env-file=.env a.js {{n}}"],
  ['echo "X={{x}}" > .env; docker compose up', 'echo "X={{x}}" > a.txt; docker compose up'],
  ['echo "X={{x}}" > .env; pipenv run a', 'echo "X={{x}}" > a.txt; pipenv run a'],
  ['echo "X={{x}}" > .env; uv run a.py', 'echo "X={{x}}" > a.txt; uv run a.py'],
  ['echo "X={{x}}" > .env; just build', 'echo "X={{x}}" > a.txt; just build'],
];

/** Those that run all they are given have settings too. */
const LAUNCHERS: readonly Row[] = [
  ["printf %s {{x}} > docker-compose.yml; docker-compose up", "printf %s {{x}} > a.txt; docker-compose up"],
  ["printf %s {{x}} > Vagrantfile; vagrant up", "printf %s {{x}} > notes.md; vagrant up"],
  ["printf %s {{x}} > shell.nix; nix-shell", "printf %s {{x}} > shell.txt; nix-shell"],
  ["printf %s {{x}} > .gdbinit; gdb -batch", "printf %s {{x}} > gdb.log; gdb -batch"],
  ["printf %s {{x}} > pom.xml; mvn test", "printf %s {{x}} > a.xml; mvn test"],
  ["printf %s {{x}} > a.yml; some-tool run", "printf %s {{x}} > a.csv; some-tool run"],
  ["printf %s {{x}} > .cargo/config.toml; cargo build", "printf %s {{x}} > a.toml; cargo build"],
  ["printf %s {{x}} > d/config.json; DOCKER_CONFIG=d docker pull a", "printf %s {{x}} > d/a.json; docker pull a"],
  ["cd {{x}}; vagrant up", "cd {{e}}; vagrant up"],
];

/** What is found beside a file that a value names. */
const BESIDE: readonly Row[] = [
  ["npx prettier --check -- {{x}}", "npx prettier --check -- {{e}}"],
  ["eslint -- ./{{x}}", "eslint -- src; cat {{x}}"],
  ["prettier --stdin-filepath {{x}} < a.ts", "prettier --stdin-filepath a.ts < {{x}}"],
  ["eslint --stdin --stdin-filename {{x}} < a.ts", "eslint --stdin --stdin-filename a.ts < {{x}}"],
  ["npm pack {{x}}", "npm ls {{x}}"],
  ["printf %s {{x}} > pip.conf; pip install a", "printf %s {{x}} > a.txt; pip install a"],
  ["printf %s {{x}} > setup.py; pip install .", "printf %s {{x}} > setup.txt; pip install ."],
  ["cd {{x}} && pip install .", "cd {{e}} && pip install ."],
];

/** What is pasted into code, or is code to whoever reads it. */
const CODE: readonly Row[] = [
  ["gcc -DNAME={{x}} a.c", "gcc -DNAME={{n}} a.c"],
  ["gcc -D NAME={{x}} a.c", "gcc -I ./{{x}} a.c"],
  ["xsltproc a.xsl - <<< {{x}}", "xsltproc --stringparam a {{x}} a.xsl b.xml"],
  ["xmllint --noent - <<< {{x}}", "xmllint --format - <<< {{x}}"],
  ["xmllint --xinclude - <<< {{x}}", "xmllint --noout - <<< {{x}}"],
  ["pandoc -f rst -t html <<< {{x}}", "pandoc -f markdown -t html <<< {{x}}"],
  ["pandoc --from=latex <<< {{x}}", "pandoc --from=gfm <<< {{x}}"],
  ["pandoc --embed-resources <<< {{x}}", "pandoc --standalone <<< {{x}}"],
  ["pandoc -f html -t plain <<< {{x}}", "pandoc --sandbox -f html -t plain <<< {{x}}"],
  ["pandoc --sandbox -f {{x}} a", "pandoc --sandbox -f html {{x}}"],
  ["printf %s {{x}} > a.svg; convert ./a.svg a.png", "printf %s {{x}} > a.txt; convert ./b.png a.png"],
];

for (const [name, rows] of Object.entries({
  "settings that are read before a client is told to be safe": BEFORE_SAFE,
  "a file in one word with its option": GLUED,
  "a file that is named as a program": NAMED,
  "what a compiler makes of it": COMPILED,
  "a text for a client that the template writes": OWN_TEXT,
  "a file with variables": VARIABLES,
  "a file that a launcher looks for": LAUNCHERS,
  "what lies beside a file": BESIDE,
  "a language that reads files or is compiled": CODE,
}))
  describe(name, () => {
    it.each(rows)("is refused: %j, and not beside it: %j", (unsafe, safe) => {
      expect(problemOf(unsafe)?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problemOf(safe)).toBeNull();
    });
  });
