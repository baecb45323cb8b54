// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { ATTACKS, FRIENDLY } from "./attacks.ts";
import { allowing, decisionOn, rulesFrom } from "./judged.ts";
import { BEHIND_OTHERS, MORE_ATTACKS } from "./more-attacks.ts";

const rules = allowing(FRIENDLY, { dynamic: true });

describe.each([...ATTACKS, ["a second round", MORE_ATTACKS] as const])(
  "not allowed, though the programs are: %s",
  (_, lines) => {
    it.each(lines)("%j", (line) => expect(decisionOn(rules, line)).not.toBe("allow"));
  },
);

/** The other side of the border: what looks alike and is harmless. */
describe("allowed under the same rules", () => {
  it.each([
    "ls -la src | head -n 5",
    "echo '$(rm)' \"a;b\" \\$\\(rm\\) a\\&\\&b",
    "cat README.md && git status --short",
    "cd src && npm test && npm run lint",
    "git log --oneline -5 --format='%h;%s'",
    "git diff HEAD~1 -- src/a.ts",
    "git push -u origin main",
    "git push --set-upstream origin main",
    "git commit -m 'rm -rf / && curl x | sh'",
    "git commit -m \"$(cat <<'EOF'\nA message; with `marks` and $(more)\nEOF\n)\"",
    "find . -name '*.ts' -not -path './node_modules/*'",
    "find . -type f -exec grep -l foo {} +",
    "sed -n '1,5p' f",
    "sed -e 's/a|b/c/g' -e '/x/d' f",
    "sed 's,/usr,/opt,g; s/[;e]/w/' f",
    "awk '{print $1}' f",
    "awk -F: '$3 > 100 || /a|b/ {print $1, $2}' f",
    "grep -rn 'a|b;c' src",
    "sort -u -k2,2 -t: f | uniq -c",
    "tar tvzp",
    'for i in 1 2 3; do echo "$i"; done',
    '[ "$x" = y ] && [ -n "$y" ] && [ ! "$x" = "$y" ] && echo ok',
    '[ "$a" = x -a "$b" != y ] && echo ok',
    'declare x="$1"; declare -a y=(a b); echo "$x" "${y[0]}"',
    "for i in {1..3}; do echo $((i * 2)); done",
    'while IFS= read -r line; do echo "$line"; done',
    "i=0; while ((i < 3)); do echo $i; ((i++)); done",
    'if [[ -f package.json && "$x" == a* ]]; then cat package.json; fi',
    'case "$x" in a|b) echo 1;; *) echo 2;; esac',
    "NO_COLOR=1 npm test",
    "timeout 60 npm test",
    "env CI=1 nice -n 5 npm test",
    "bash -c 'cd src && ls'",
    "ls 2>/dev/null || true",
    "npm test 2>&1 | tail -n 20",
    "set -euo pipefail; npm test",
    "trap 'echo done' EXIT; npm test",
    'f() { echo "$1"; }; f a; f b',
    'ls "${x:-default}" ${#x}',
    "printf '%s\\n' \"$x\"",
    "printf '%d%%\\n%%n' \"$x\"",
    'printf -v x \'%s\' "$y"; printf "a $x\\n"',
    "read -rp 'Name: ' x; read -d '' -ra list; read -n1 -s key",
    'declare "x=1"; command declare y=2; f() { local \'z=3\'; echo "$z"; }; f',
    "a=(1 2); i=0; echo $((${#a[i]} + ${#a[@]})) ${!a[@]}",
    "coproc worker { npm test; }",
    "python3 script.py flag",
    "node --test",
    "python3 -m pytest",
    "read -r a b <<< 'x y'; echo $a",
    "date +%s",
    "export CI=1; npm test",
    "ls; # a comment; rm",
    "diff() { :; }; echo 'x' | cat",
    "xargs -n1 echo < /dev/null",
    "env --default-signal=PIPE ls x",
    "env -u TZ ls x",
    "env -S 'ls x'",
    "env -v -S 'ls x' y",
    "ls | xargs -n 1 -I % echo a",
    "ls | xargs -I % -n 1 echo a",
    "ls | xargs -L 1 -I % echo a",
    "x=1; y=2; ls",
    'declare -A m; m["a b"]=1; echo "${m["a b"]}"',
    'x=(["a"]=1 ["b.c"]=2); echo "${x[@]}"',
    "n=3; [[ 'n' -eq 3 && $((n + 1)) -gt 2 ]] && ls",
    "env n=3 bash -c '((n))'",
    "xargs --replace=% echo a < /dev/null",
    "sqlite3 a.db 'select 1'",
    "sqlite3 a.db <<< 'select 1;'",
    "cat x | sqlite3 -safe a.db",
    "psql -c 'select 1'",
    "psql --host=h -c 'select 1'",
    "psql --host=h --port=5432 --username=u --command='select 1'",
    "psql --set=x=-c -c 'select 1'",
    "psql -c 'select 1' -- h",
    "psql <<< 'select 1;'",
    "psql <<< 'select 1 \\g /dev/null'",
    "psql <<< $'select 1 \\\\g /dev/null\\nselect 2 \\\\g\\n'",
    "node --title x script.js",
    "git rev-list --count HEAD",
  ])("%j", (line) => expect(decisionOn(rules, line)).toBe("allow"));
});

describe("denied behind others, where everything else is allowed", () => {
  const all = rulesFrom({ id: "all", effect: "allow" }, { id: "not-rm", effect: "deny", touch: { exec: ["rm **"] } });
  it.each(BEHIND_OTHERS)("%j", (line) => expect(decisionOn(all, line)).toBe("deny"));

  it.each([
    "flock a ls",
    "prlimit --nofile=10 ls x",
    "runuser -u root -- ls",
    "strace -o x ls",
    "unshare -r ls",
    "numactl ls",
    "npm rm x",
    "nodemon --exec='ls x'",
    "uv pip list",
    "ip addr",
    `ssh h ${"a=1 ".repeat(20)}ls`,
    "ssh h 'a b (c'",
    "echo 'select 1;' | sqlite3 a.db 'select 2'",
  ])("and allowed: %j", (line) => expect(decisionOn(all, line)).toBe("allow"));
});
