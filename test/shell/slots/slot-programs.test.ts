// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import type { TemplateParameter } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";

const string = (name: string): TemplateParameter => ({ name, type: "string", isClosed: false });
const PARAMETERS: readonly TemplateParameter[] = [
  string("x"),
  string("y"),
  { name: "n", type: "number", isClosed: false },
  { name: "l", type: "array", isClosed: false },
  { name: "b", type: "boolean", isClosed: false },
  { name: "d", type: "string", isClosed: false, allowsDash: true },
];

const problemOf = (text: string) => {
  const checked = checkTemplate(text, PARAMETERS);
  return checked.ok ? null : checked.problems[0];
};

/** What is refused, and beside it what its author can write. */
type Row = readonly [unsafe: string, safe: string];

const AT_RUN_TIME: readonly Row[] = [
  ['"${PYTHON:-python3}" -c "print(\'{{x}}\')"', 'python3 -c "import sys; print(sys.argv[1])" "{{x}}"'],
  ['"${PYTHON:-python3}" tool.py {{x}}', "python3 tool.py {{x}}"],
  ['py="${PYTHON:-python3}"\n"$py" tool.py {{x}}', 'py=python3\n"$py" tool.py {{x}}'],
  ['cmd=python3\n"$cmd" -c {{x}}', 'cmd=python3\n"$cmd" tool.py {{x}}'],
  ['cmd=$(command -v jq)\n"$cmd" --arg a {{x}} . f', "jq --arg a {{x}} . f"],
  ['./"$a" {{x}}', './"$a"/tool {{x}}'],
  ['printf %s {{x}} | "$FILTER"', "printf %s {{x}} | tr a b"],
  ['"./$a" <<< {{x}}', "./a <<< {{x}}"],
  [
    'if [ -n "$a" ]; then c=sh; else c=cat; fi\n"$c" -c {{x}}',
    'if [ -n "$a" ]; then c=tac; else c=cat; fi\n"$c" -- {{x}}',
  ],
  ['o=-e\nsed $o "{{x}}" f', "o=-n\nsed $o 1p {{x}}"],
  ['o=-e\nsed "$o" "{{x}}" f', 'o=-n\nsed "$o" 1p {{x}}'],
  ['o=-e\nsed "$o{{x}}" f', 'o=out/\nsed -n 1p "${o}{{x}}"'],
  ["sed $OPTIONS 1p {{x}}", "sed -n 1p {{x}}"],
  ["o=--ex\nsed ${o}pression={{x}} f", "o=--quiet\nsed ${o} 1p {{x}}"],
  ['python3 "$SCRIPT" {{x}}', 'python3 "$HOME/tool.py" {{x}}'],
  ["python3 $FLAGS tool.py {{x}}", 'flags="-u -B"\npython3 $flags tool.py {{x}}'],
  ['curl "$o" {{x}}', 'curl "$o" -- {{x}}'],
  ['args=(-K)\ncurl "${args[@]}" {{x}}', 'args=(-sS)\ncurl "${args[@]}" {{x}}'],
  ['args=(-e)\nargs+=({{x}})\nsed "${args[@]}" f', 'args=(-n)\nargs+=(1p {{x}})\nsed "${args[@]}"'],
  [
    'args=()\nif [ -n "$a" ]; then args+=(-c); fi\npython3 "${args[@]}" {{x}}',
    'args=()\nif [ -n "$a" ]; then args+=(-u); fi\npython3 "${args[@]}" tool.py {{x}}',
  ],
  ['set -- -c {{x}}\npython3 "$@"', 'set -- a {{x}}\npython3 tool.py "$@"'],
  ['mapfile -t a < f\npython3 "${a[@]}" {{x}}', 'mapfile -t a < f\nmytool "${a[@]}" {{x}}'],
  ['t=$T\ntimeout "$t" ls {{x}}', 't=5\ntimeout "$t" ls -- {{x}}'],
  ["timeout $T sh -c {{x}}", 'n={{n}}\nt=$(( n + 1 ))\ntimeout "$t" ls -- {{x}}'],
  ['source ./settings\n"$PY" tool.py {{x}}', "source ./settings\npython3 tool.py {{x}}"],
  ['o=-n\nread -r o < f\nsed "$o" 1p {{x}}', 'read -r o < f\necho "$o"\nsed -n 1p {{x}}'],
  ['o=-n\nprintf -v o %s -e\nsed "$o" {{x}} f', 'o=-n\nprintf -v p %s -e\nsed "$o" 1p {{x}}'],
  ["f() { sed $o {{x}}; }\no='-n 1p'\nf", "f() { sed -n 1p {{x}}; }\nf"],
];

const OPTIONS_OF_PROGRAMS: readonly Row[] = [
  ["sed --expr={{x}} f", "sed --expr=1p {{x}}"],
  ["sed --exp {{x}} f", "sed --quiet 1p {{x}}"],
  ["sed -ne {{x}} f", "sed -ne 1p {{x}}"],
  ["sed -zne{{x}} f", "sed -zn 1p {{x}}"],
  ["sed --invented a {{x}}", "sed -i.bak 1p {{x}}"],
  ["tar --use-compress={{x}} -cf a b", "tar -czf a -- {{x}}"],
  ["tar -cI {{x}} -f a b", "tar -cf {{x}} b"],
  ["tar --to-comm {{x}} -xf a", "tar -xf a -- {{x}}"],
  ["scp -o {{x}} a b:", "scp -P {{n}} a b:"],
  ["scp -S {{x}} a b:", "scp -- {{x}} b:"],
  ["git -c {{x}} log", "git --no-pager log -- {{x}}"],
  ["git -c core.pager={{x}} log", "git log --author={{x}}"],
  ["git config alias.z {{x}}", "git config user.name {{x}}"],
  ["git config --global {{x}} a", "git config --global user.email {{x}}"],
  ["git grep -O{{x}} a", "git grep -e {{x}}"],
  ["git grep --open-files={{x}} a", "git grep -n -e a -- {{x}}"],
  ["git bisect run {{x}}", "git show {{x}}"],
  ["git submodule foreach {{x}}", "git checkout {{x}} --"],
  ["git clone -u {{x}} a", "git clone -- {{x}}"],
  ["git fetch --upload-pack={{x}} o", "git fetch origin {{x}}"],
  ["git rebase -x {{x}} a", "git rebase {{x}}"],
  ["git {{x}}", "git commit -m {{x}}"],
  ["python3 -m timeit {{x}}", "python3 -m json.tool {{x}}"],
  ["python3 -mtimeit {{x}}", "python3 -m mytool --name {{x}}"],
  ["python3 -Wonce -c {{x}}", "python3 -Wonce tool.py {{x}}"],
  ["python3 -Ic {{x}}", "python3 -I tool.py --name {{x}}"],
  ["perl -ne {{x}} f", "perl -ne 'print' < {{x}}"],
  ["perl -le{{x}}", "perl -le 'print shift' {{x}}"],
  ["perl -M{{x}} a.pl", "perl a.pl {{x}}"],
  ["ruby -rjson -e {{x}}", "ruby -W0 a.rb {{x}}"],
  ["php -r {{x}}", "php a.php {{x}}"],
  ["php -d {{x}} a.php", "php -n a.php {{x}}"],
  ["lua -e {{x}}", "lua a.lua {{x}}"],
  ["node -p {{x}}", "node -p 'process.argv[1]' {{x}}"],
  ["node -r {{x}} a.js", "node --no-warnings a.js {{x}}"],
  ["node --import={{x}} a.js", "node a.js --import={{x}}"],
  ["deno eval {{x}}", "deno run --allow-net a.ts {{x}}"],
  ["deno run {{x}}", "deno run a.ts --name {{x}}"],
  ["bun -e {{x}}", "bun run a.ts {{x}}"],
  ["expect -c {{x}}", "expect-lite {{x}}"],
  ["vim -c {{x}} f", "vim -es -c wq -- {{x}} < /dev/null"],
  ["emacs --batch --eval {{x}}", "emacs --batch -- {{x}}"],
  ["awk -e {{x}} f", "awk -v a={{x}} '{ print a }' f"],
  ["awk --source={{x}} f", "awk -F, '{ print }' {{x}}"],
  ["jq --from-file {{x}} f", "jq -r --arg a {{x}} '$a' f"],
  ["make --eval={{x}}", "make -j {{n}} all\nprintf %s {{x}}"],
  ["make A={{x}}", "A={{x}} make all"],
  ["gcc {{x}}", "gcc -c ./{{x}}"],
  ["gcc -Wl,{{x}} a.c", "gcc -DNAME={{x}} a.c"],
  ["gcc -fplugin={{x}} a.c", "gcc -o ./{{x}} a.c"],
  ["objdump -d {{x}}", "objdump -d ./{{x}}"],
  ["convert {{x}} a.png", "convert ./{{x}} a.png"],
  ["rsync -e {{x}} a b", "rsync -a -- {{x}} b"],
  ["rsync -ave {{x}} a b", "rsync -av -- {{x}} b"],
  ["rsync --rsync-pa={{x}} a b", "rsync --exclude={{x}} a b"],
  ["curl -K {{x}}", "curl -d {{x}} https://a.example"],
  ["curl -sSK {{x}}", "curl -sSH {{x}} https://a.example"],
  ["curl --conf {{x}}", "curl --user-agent {{x}} https://a.example"],
  ["wget --use-askpass={{x}} u", "wget -O out -- {{x}}"],
  ["wget -e {{x}} u", "wget -U {{x}} u"],
  ["zip -TT {{x}} a b", "zip a.zip -- {{x}}"],
  ["less {{x}}", "less -- {{x}}"],
  ["man -P {{x}} ls", "man -- {{x}}"],
  ["rg --pre {{x}} a", "rg -e {{x}} -- f"],
  ["fd -x {{x}}", "fd -e {{x}} a"],
  ["psql -o {{x}} -d db", "psql -X -d {{x}} -c 'select 1'"],
  ["psql --comm={{x}}", "psql --no-psqlrc -v a={{x}} -f a.sql"],
  ["java -cp {{x}} Main", "java -Xmx64m -jar a.jar {{x}}"],
  ['ssh-keygen -D {{x}}\nv={{x}}\nssh host ls "$v"', "ssh-keygen -f {{x}}"],
];

/** Code that is the author's own, and runs what it is given. */
const OWN_CODE: readonly Row[] = [
  ["sed e <<< {{x}}", "sed d <<< {{x}}"],
  ["sed +e <<< {{x}}", "sed =  <<< {{x}}"],
  ["sed 's/a/b/e' -- {{x}}", "sed 's/[^/]*$//' -- {{x}}"],
  ["awk '{ system($0) }' <<< {{x}}", "awk '{ print $0 }' <<< {{x}}"],
  ["awk '{ $0 | getline }' {{x}}", "A={{x}} awk 'BEGIN { print ENVIRON[\"A\"] }'"],
  ["printf %s {{x}} | bash -s -- a", "bash -s -- {{x}} <<'EOF'\necho \"$1\"\nEOF"],
  ["bash -sc {{x}} <<< a", "python3 - {{x}} <<'EOF'\nprint(1)\nEOF"],
  ["printf %s {{x}} > >(bash)", "printf %s {{x}} > >(cat)"],
  ["printf %s {{x}} | tee >(sh)", "diff <(printf %s {{x}}) <(printf %s {{y}})"],
  ['coproc bash\nprintf %s {{x}} >&"${COPROC[1]}"', "coproc cat\necho {{x}}"],
  ["exec 3> f.sh\nprintf %s {{x}} >&3\nbash f.sh", "exec 3> f.txt\nprintf %s {{x}} >&3\nbash f.sh"],
  ["bash $q <<< {{x}}", "bash a.sh <<< {{x}}"],
  ['bash "$q" a.sh <<< {{x}}', 'bash ./"$q" <<< {{x}}'],
  ["find . -exec bash ';' <<< {{x}}", "find . -exec cat ';' <<< {{x}}"],
  ["uv run python -c {{x}}", "uv run tool.py {{x}}"],
  ["ip netns exec a {{x}}", "ip route get {{x}}"],
  ["go run {{x}}", "go run main.go {{x}}"],
  ["java -cp a {{x}}", "java -jar a.jar --name {{x}}"],
  ["bash +e <<< {{x}}", "bash +e a.sh <<< {{x}}"],
  ["bash +e {{x}}", "bash +eo posix a.sh {{x}}"],
  ['"$d/bash" <<< {{x}}', '"$d/bash" a.sh <<< {{x}}'],
  ['printf %s {{x}} > f\n"${P:-bash}" ./f', 'printf %s {{x}} > f\n"${P:-bash}" ./g'],
  ['sed --expr "${c[@]}" {{x}}', 'c=(1p)\nsed --expr "${c[@]}" {{x}}'],
  ["sed $q e <<< {{x}}", "sed $q <<< a\necho {{x}}"],
  ["awk -- $q {{x}}", "awk -- '{ print }' {{x}}"],
  ["v={{x}}\na=([v]=1)", 'v={{x}}\na=("$v")'],
  ['v={{x}}\na=(b ["$v"]=1)', 'v={{x}}\ndeclare -A a=([k]="$v")'],
  ["node -r ./a.js {{x}}", "node -r ./a.js b.js {{x}}"],
  ["ruby -rjson {{x}}", "ruby -rjson a.rb {{x}}"],
  ["perl -MJSON {{x}}", "perl -MJSON a.pl {{x}}"],
  ["bash --rcfile f {{x}}", "bash --norc f {{x}}"],
  ["awk -i inplace {{x}} f", "awk -i inplace '{ print }' -- {{x}}"],
  ["ldd {{x}}", "file -- {{x}}"],
];

const CARRIERS: readonly Row[] = [
  ["prlimit --nofile=9 {{x}}", "prlimit --nofile=9 cat -- {{x}}"],
  ["prlimit --nofile=9 sh -c {{x}}", "prlimit --nofile=9 sh -c 'cat -- \"$1\"' _ {{x}}"],
  ["setarch x86_64 {{x}}", "setarch x86_64 ls\nprintf %s {{x}}"],
  ["capsh -- -c {{x}}", "capsh --print\nprintf %s {{x}}"],
  ["npx -c {{x}}", "npx --yes prettier -- {{x}}"],
  ["npx {{x}}", "npx prettier ./{{x}}"],
  ["tmux new-session -d {{x}}", "tmux ls\nprintf %s {{x}}"],
  ["docker exec db sh -c {{x}}", "docker exec db cat -- {{x}}"],
  ["docker run --rm image sh -c {{x}}", "docker run --rm image cat -- {{x}}"],
  ["docker exec db {{x}}", "docker logs -- {{x}}"],
  ["docker run --entrypoint {{x}} image", "docker inspect {{x}}"],
  ["kubectl exec pod -- sh -c {{x}}", "kubectl -n {{x}} get pods"],
  ["script -qc {{x}}", "printf %s {{x}}"],
  ['v={{x}}\nssh host "$v"', 'v={{x}}\nprintf %s "$v"'],
  ["hash -p {{x}} ls", "hash -r\nls -- {{x}}"],
  ['v={{x}}\nhash -p "$v" ls', 'v={{x}}\nls -- "$v"'],
  ["compgen -C {{x}}", "compgen -v\nls -- {{x}}"],
  ["parallel {{x}}", "xargs -n 1 ls < f\nls -- {{x}}"],
  ["printf %s {{x}} | parallel echo", "printf '%s\\n' {{x}} | xargs -n 1 ls --"],
  ["watch {{x}}", "ls -- {{x}}"],
  ["strace -o {{x}} ls", "strace -f cat -- {{x}}"],
  ["ltrace sh -c {{x}}", "ltrace cat -- {{x}}"],
  ["gdb -ex {{x}} a", "gdb --version\nls -- {{x}}"],
  ['v={{x}}\nsu -c "$v"', 'v={{x}}\nls -- "$v"'],
  ["runuser -u a sh -c {{x}}", "runuser -u a cat -- {{x}}"],
  ["runuser -c {{x}}", "runuser -u a -- cat -- {{x}}"],
  ["chroot / {{x}}", "chroot / cat -- {{x}}"],
  ["unshare -r sh -c {{x}}", "unshare -r cat -- {{x}}"],
  ["nsenter -t {{n}} -m {{x}}", "nsenter -t {{n}} -m cat -- {{x}}"],
  ["flock f -c {{x}}", "flock f cat -- {{x}}"],
  ["flock -c {{x}} f", "flock -n f cat -- {{x}}"],
  ["setpriv --no-new-privs sh -c {{x}}", "setpriv --no-new-privs cat -- {{x}}"],
  ["systemd-run {{x}}", "ls -- {{x}}"],
  ["at -f {{x}} now", "ls -- {{x}}"],
  ["batch <<< {{x}}", "cat <<< {{x}}"],
  ["find . -exec {{x}} ';'", "find . -name {{x}} -exec cat -- {} ';'"],
  ["find . -exec sed {{x}} {} ';'", "find . -exec grep -l -e {{x}} -- {} ';'"],
  ['find . "$o" {{x}}', "find . -newer {{x}} -exec cat -- {} +"],
  ["printf '%s\\n' {{x}} | xargs -n 1 sed --", "printf '%s\\n' {{x}} | xargs -n 1 sed -n 1p --"],
  ["printf '%s\\n' {{d}} | xargs -I{} sed {} f", "printf '%s\\n' {{d}} | xargs -I{} wc {} f"],
  ["printf '%s\\n' {{d}} | xargs sh -c", "printf '%s\\n' {{d}} | xargs wc"],
  ["printf %s {{y}} | xargs -I {{x}} echo a", "printf '%s\\n' {{d}} | xargs -I % echo %"],
  ["find {{x}} -exec sh -c 'cat {}' ';'", "find {{x}} -exec sh -c 'cat -- \"$1\"' _ {} ';'"],
  ["find {{x}} -exec {} ';'", "find {{x}} -exec cat -- {} ';'"],
  ["env -S {{x}}", "env A={{x}} ls"],
  ["env --invented a {{x}}", "env -u A cat -- {{x}}"],
  ["sudo -u a sh -c {{x}}", "sudo -u a cat -- {{x}}"],
  ["busybox sh -c {{x}}", "busybox cat -- {{x}}"],
  ["exec -a a sh -c {{x}}", "exec cat -- {{x}}"],
  ["npm run build {{x}}", "npm view {{x}}"],
  ["mapfile -C {{x}} -c 1 a < f", "mapfile -t a < {{x}}"],
];

const FILES: readonly Row[] = [
  ["printf %s {{x}} > a\nmv a b.sh\nbash b.sh", "printf %s {{x}} > a\nmv a b.txt\nbash c.sh b.txt"],
  ["printf %s {{x}} > a\nln -s a b.sh\nbash b.sh", "printf %s {{x}} > a\nln -s a b\nwc -l b"],
  ["printf %s {{x}} > a\ninstall -m 755 a bin/b\nbin/b", "printf %s {{x}} > a\ninstall -m 644 a bin/b\nbin/c"],
  ["printf %s {{x}} | sort -o a.sh\nbash a.sh", "printf %s {{x}} | sort -o a.txt\nbash a.sh a.txt"],
  ["printf %s {{x}} | tee a.sh\nbash a.sh", "printf %s {{x}} | tee a.txt\nbash a.sh"],
  ["printf %s {{x}} | dd of=a.sh\nbash a.sh", "printf %s {{x}} | dd of=a.txt\nbash a.sh"],
  ["printf %s {{x}} > Makefile\nmake", "printf %s {{x}} > input.txt\nmake"],
  ["printf %s {{x}} > {{y}}\nmake", "printf %s {{x}} > {{y}}\nwc -l < {{y}}"],
  ["printf %s {{x}} > {{y}}\npython3 lint.py", "printf %s {{x}} > out/{{y}}.json\npython3 lint.py"],
  ["printf %s {{x}} > bin/f.txt\ncd bin\nbash f.txt", "printf %s {{x}} > bin/f.txt\ncd bin\nbash g.txt"],
  ["exec > f\nprintf %s {{x}}\nbash f", "exec > f\nprintf %s {{x}}\nbash g"],
  ["printf %s {{x}} > f\ncat f | bash", "printf %s {{x}} > f\ncat f | wc -l"],
  ["bash a.sh\nprintf %s {{x}} > a.sh", "bash a.sh\nprintf %s {{x}} > a.txt"],
  ["while :; do bash a.sh; printf %s {{x}} > ./a.sh; done", "while :; do bash a.sh; printf %s {{x}} > ./a; done"],
  ['printf %s {{x}} > "$PWD/a.sh"\nbash a.sh', 'printf %s {{x}} > "$PWD/a.txt"\nbash a.sh'],
  [
    'printf %s {{x}} > a.sh\nfor f in *.sh; do bash "$f"; done',
    'printf %s {{x}} > a.txt\nfor f in b.sh c.sh; do bash "$f"; done',
  ],
  [
    'd=$(mktemp -d)\nprintf %s {{x}} > "$d/a.py"\npython3 "$d/a.py"',
    'd=$(mktemp -d)\nprintf %s {{x}} > "$d/a.json"\npython3 tool.py "$d/a.json"',
  ],
  ["cp -- {{x}} a.sh\nbash a.sh", "cp -- {{x}} a.txt\nbash a.sh"],
  ["curl -o a.sh -- {{x}}\nbash a.sh", "curl -o a.txt -- {{x}}\nbash a.sh a.txt"],
  ["patch -u -p1 <<< {{x}}\nmake", "patch -u -p1 <<< {{x}}\nwc -l f"],
  ["tar -xf {{x}}\n./configure", "tar -tf {{x}}\n./configure"],
  ["git clone -- {{x}} a\nmake -C a", "git clone -- {{x}} a\nls a"],
  ["printf %s {{x}} > package.json\nnpm install", "printf %s {{x}} > data.json\nnpm install"],
  ["printf %s {{x}} > json.py\npython3 tool.py", "printf %s {{x}} > data.json\npython3 tool.py"],
  ["printf %s {{x}} > lib.js\nnode build.js", "printf %s {{x}} > lib.css\nnode build.js"],
  [
    'cd "$HOME"\nd=$(mktemp -d)\nprintf %s {{x}} > "$d/a.py"\npython3 lint.py',
    'd=$(mktemp -d)\nprintf %s {{x}} > "$d/a.py"\npython3 lint.py "$d/a.py"',
  ],
  ["printf %s {{x}} > main.c\nmake", "printf %s {{x}} > main.txt\nmake"],
  ["printf %s {{x}} > index.js\nnpm test", "printf %s {{x}} > index.html\nnpm test"],
  ["printf %s {{x}} > Dockerfile\ndocker build .", "printf %s {{x}} > data.csv\ndocker build ."],
  ["printf %s {{x}} > .git/hooks/pre-commit\ngit commit -m a", "printf %s {{x}} > notes.txt\ngit commit -m a"],
  ["printf %s {{x}} > jobs\ncrontab jobs", "printf %s {{x}} > jobs\ncrontab other"],
  ["printf %s {{x}} >> lib.sh\n. lib.sh", "printf %s {{x}} >> log.txt\n. lib.sh"],
];

for (const [name, rows] of Object.entries({
  "a program or an option that is known only at run time": AT_RUN_TIME,
  "an option by which a program runs something": OPTIONS_OF_PROGRAMS,
  "code that runs what it finds": OWN_CODE,
  "a program that starts others": CARRIERS,
  "a file that values are written to, and that is run": FILES,
}))
  describe(name, () => {
    for (const [unsafe, safe] of rows) {
      it(`is refused with its place: ${JSON.stringify(unsafe)}`, () => {
        const problem = problemOf(unsafe);
        expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
        expect(problem?.hint).not.toBe("");
        expect(unsafe.slice(problem?.at)).toMatch(/^\{\{/);
      });
      it(`and not beside it: ${JSON.stringify(safe)}`, () => {
        expect(problemOf(safe)).toBeNull();
      });
    }
  });

describe("a program that nothing is known of", () => {
  for (const template of [
    "mytool --name {{x}}",
    "mytool -e {{x}} --eval={{y}}",
    './bin/mytool "$OPTIONS" {{x}}',
    'mytool $OPTIONS --name "{{x}}" <<< {{y}}',
    'args=(--verbose)\n{{#b}}args+=(--all){{/b}}\nmytool "${args[@]}" -- {{x}}',
    'here="$(dirname "$0")"\n"$here/mytool" {{x}}',
    'run() { mytool "$@"; }\nrun a {{x}}',
  ])
    it(`gets values as they are: ${JSON.stringify(template)}`, () => {
      expect(problemOf(template)).toBeNull();
    });
});
