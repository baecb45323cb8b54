// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

/** What a program takes for code: words, and what comes by its standard input. */
const CODE: readonly string[] = [
  "sed -f - file <<< {{x}}",
  "sed --file=/dev/stdin file <<< {{x}}",
  "printf '%s' {{x}} | sed -f - file",
  "awk -f /dev/stdin file <<EOF\n{{x}}\nEOF",
  "ed file <<< {{x}}",
  "ed {{x}} < commands",
  "printf '%s\\n' {{x}} | ed -s file",
  "cat <<EOF | ed -s file\n{{x}}\nEOF",
  "ex -s file <<< {{x}}",
  "vim -e -s file <<< {{x}}",
  "sqlite3 db <<< {{x}}",
  "sqlite3 db {{x}}",
  "sqlite3 db \"SELECT '{{x}}'\"",
  "sqlite3 -cmd {{x}} db",
  "sqlite3 db < {{x}}",
  "printf '%s' {{x}} | sqlite3 db",
  "printf '%s' {{x}} | cat | timeout 5 sqlite3 db",
  "env A=1 sqlite3 db <<< {{x}}",
  "psql -c {{x}}",
  "psql -d db <<< {{x}}",
  "psql -c \"SELECT '{{x}}'\"",
  "mysql -e {{x}}",
  "mysql db <<< {{x}}",
  "bash <<< {{x}}",
  "sh -s <<< {{x}}",
  "printf '%s' {{x}} | sh",
  "python3 - <<< {{x}}",
  "python3 <<EOF\nprint('{{x}}')\nEOF",
  "printf '%s' {{x}} | python3",
  "node <<< {{x}}",
  "printf '%s' {{x}} | perl",
  "dc <<< {{x}}",
  'echo "{{x}} * 2" | dc -l',
  "dc -e {{x}}",
  "m4 <<< {{x}}",
  "at now <<< {{x}}",
  "crontab - <<< {{x}}",
  "patch -p1 <<< {{x}}",
  "make -f - <<< {{x}}",
  "tar -cf a.tar -T - <<< {{x}}",
  "curl -K - <<< {{x}}",
  "gnuplot <<< {{x}}",
  'jq ".a == \\"{{x}}\\"" file',
  "deno eval {{x}}",
  // By way of something else.
  'q={{x}}\nsqlite3 db "$q"',
  'q={{x}}\nsqlite3 db <<< "$q"',
  'q="SELECT \'{{x}}\'"\npsql -c "$q"',
  "q=$(printf '%s' {{x}})\ndc <<< \"$q\"",
  "q={{x}}\npython3 -c \"print('$q')\"",
  'q={{x}}\nr=("$q" b)\ndc <<< "${r[0]}"',
  "f() { dc; }\nf <<< {{x}}",
  'f() { sqlite3 db "$1"; }\nf {{x}}',
  "f() { printf '%s' {{x}}; }\nf | dc",
  'while read -r line; do dc <<< "$line"; done <<< {{x}}',
  "while read -r line; do echo \"$line\" | dc; done < <(printf '%s' {{x}})",
  "{ cat; } <<< {{x}} | dc",
  "{ dc; } <<< {{x}}",
  "exec <<< {{x}}\ndc",
  "exec 3<<< {{x}}\ndc <&3",
  'for q in {{x}}; do dc <<< "$q"; done',
  'mapfile -t q <<< {{x}}\ndc <<< "${q[*]}"',
  "printf -v q '%s' {{x}}\ndc <<< \"$q\"",
  'a={{x}}\nb=$a\nc="${b}"\ndc <<< "$c"',
  'a=\n: "${a:={{y}}}"\necho {{x}}',
  "bash -c 'dc <<< \"$1\"' _ {{x}}",
  '[[ {{x}} =~ ^(.*)$ ]]\ndc <<< "${BASH_REMATCH[1]}"',
  // A text over several lines.
  'k="a\n{{x}}"\necho $((k))',
  'k="$(\ncat -- {{x}}\n)"\ndc <<< "$k"',
  // By way of a file.
  "printf '%s' {{x}} > script.sh\nbash script.sh",
  "printf '%s' {{x}} > script.sh\nbash < ./script.sh",
  "cat > a.py <<EOF\n{{x}}\nEOF\npython3 a.py",
  't=$(mktemp)\nprintf %s {{x}} > "$t"\nbash "${t}"',
  "printf '%s' {{x}} | tee a.sed > /dev/null\nsed -f a.sed file",
  "{ echo {{x}}; } > run\nchmod +x run\n./run",
  "printf '%s' {{x}} > lib.sh\nsource lib.sh",
  ". /dev/stdin <<< {{x}}",
  "source <(printf '%s' {{x}})",
  "bash -s a <<< {{x}}",
  "busybox awk {{x}} file",
  "printf '%s\\n' {{x}} | xargs sh -c 'dc <<< \"$1\"' _",
  // What programs are told by variables.
  "NODE_OPTIONS={{x}} node a.js",
  "export GIT_SSH_COMMAND={{x}}",
  'f={{x}}\nPYTHONPATH="$f" python3 a.py',
  'f={{x}}\nPATH="$f:$PATH"',
  "HOME={{x}} sqlite3 -safe db .tables",
  "python3 -m {{x}}",
  "node --require {{x}} a.js",
  "vim -es {{x}} < commands",
  // What a program in a substitution came by without being told.
  "printf '%s' {{x}} | { v=$(cat); sed \"s/a/$v/\" file; }",
  "printf '%s' {{x}} | { v=$(cat); $v; }",
  "f() { v=$(cat); $v; }\nf <<< {{x}}",
  "{ v=$(cat); python3 -c \"print('$v')\"; } <<< {{x}}",
  "printf '%s' {{x}} > f.txt\nv=$(< f.txt)\nsed \"s/a/$v/\" file",
  "printf '%s' {{x}} > f.txt\nv=$(cat f.txt)\n$v",
  "exec 3<<< {{x}}\nv=$(cat <&3)\n$v",
  "export X={{x}}\nv=$(printenv X)\n$v",
  // By a descriptor, and by another file.
  "exec 3<<< {{x}}\nread -r -u 3 v\n$v",
  "exec 3<<< {{x}}\nmapfile -t -u 3 v\n${v[0]}",
  "sed -f /dev/fd/3 file 3<<< {{x}}",
  "printf '%s' {{x}} > f.txt\ncp f.txt g.txt\nbash g.txt",
  "printf '%s' {{x}} > f.txt\ncat f.txt > g.txt\nbash g.txt",
  // Variables that are set without an assignment.
  "read -r PATH <<< {{x}}\nls",
  "for PATH in {{x}}; do ls; done",
  "env PATH={{x}} ls",
  'p={{x}}\nenv "PATH=$p" ls',
  "env BASH_ENV={{x}} bash -c 'ls'",
  "while read -r BASH_ENV; do bash -c ls; done <<< {{x}}",
  // Operands that are opened as programs.
  "perl -ne 'print if /a/' -- {{x}}",
  "perl -pe 's/a/b/' {{x}}",
  'f={{x}}\nperl -lne print -- "$f"',
  // The name of a command.
  'c={{x}}\n"$c" a',
  'c={{x}}\ntimeout 5 "$c"',
  'c={{x}}\ncommand "./$c"',
];

/** What of a value would begin a word that a program may take for an option. */
const OPTIONS: readonly string[] = [
  'f=$(basename -- {{x}})\nsort "$f"',
  'f={{x}}\nsort "${f##*/}"',
  "f={{x}}\nsort $f",
  'f=-{{x}}\nsort "$f"',
  'f={{x}}\ng="-$f"\nsort "$g"',
  'read -r f <<< {{x}}\nsort "$f"',
  'while read -r f; do sort "$f"; done <<< {{x}}',
  'while read -r f; do sort "$f"; done < {{x}}',
  'mapfile -t l <<< {{x}}\nsort "${l[@]}"',
  'for f in $(cat -- {{x}}); do sort "$f"; done',
  'f={{x}}\ntimeout -- 5 sort "${f#a}"',
  'f={{x}}\nsort "$(printf %s "$f")"',
  "printf '%s\\n' {{x}} | xargs ls",
  "printf '%s\\n' {{x}} | xargs -n 1 -- ls",
  "printf '%s\\n' {{x}} | xargs -I{} cp {} there",
  'g() { sort "${1#a}"; }\ng {{x}}',
  'f={{x}}\nfind -- "${f%/}" -type f',
  'f={{x}}\nopenssl dgst -- "${f#a}"',
];

const SAFE: readonly string[] = [
  // Code that is written out, and values that are not in it.
  "sqlite3 -safe db <<< {{x}}",
  "sqlite3 -safe -readonly db {{x}}",
  "psql -v q={{x}} <<'EOF'\nSELECT :'q';\nEOF",
  "bash -c 'cat -- \"$1\"' _ {{x}}",
  "bash script.sh <<< {{x}}",
  "python3 script.py {{x}} <<< {{y}}",
  "jq --arg a {{x}} '.b == $a' <<< {{y}}",
  "jq {{x}} file",
  "jq . <<< {{x}}",
  "patch -u -p1 <<< {{x}}",
  "sed -n 1p <<< {{x}}",
  'sed -n "{{n}}p" file',
  'n={{n}}\nsed -n "${n}p" file',
  'n={{n}}\ndc <<< "$n + 1"',
  "awk '{ print }' <<< {{x}}",
  "awk -v a={{x}} '{ print a }' file",
  "cat schema.sql | sqlite3 db\necho {{x}}",
  "echo '1 + 1' | dc\necho {{x}}",
  "curl -d @- https://a.example <<< {{x}}",
  "tar -cf a.tar -- {{x}}",
  "printf '%s\\n' {{x}} | xargs -n 1 sh -c 'cat -- \"$1\"' _",
  "printf '%s' {{x}} > out.txt\ncat out.txt",
  "printf '%s' {{x}} > data.json\npython3 script.py data.json",
  "ex -s -- {{x}} <<'EOF'\n1d\nwq\nEOF",
  'f={{x}}\nA="$f" LANG=C env',
  "perl -ne 'print if /a/' < {{x}}",
  't=$(mktemp)\nprintf "%s" {{x}} > "$t"\nwc -l "$t"\nrm -f "$t"',
  'd=$(date +%F)\nmkdir "$d"\nprintf "%s" {{x}} > out.txt',
  'export A={{x}}\nv=$(printf "%s" b)\nsort "$v"',
  // Heads of words that are the author's, or that nobody takes for options.
  'f=./{{x}}\nsort "$f"',
  'f={{x}}\nsort "$f"',
  'f={{x}}\nsort -- "${f##*/}"',
  'f={{x}}\nsort "./${f##*/}"',
  'f={{d}}\nwc "${f##*/}"',
  'f={{e}}\nsort "${f##*/}"',
  'f={{n}}\nsort "${f##*/}"',
  'n=$(wc -l < {{x}})\nhead -n "$n" file',
  'while read -r f; do echo "$f"; printf "%s\\n" "$f"; done <<< {{x}}',
  'while read -r f; do sort "$f"; done < list\necho {{x}}',
  "printf '%s\\n' {{x}} | xargs -n 1 ls --",
  'f={{x}}\n[ -n "${f#a}" ] && [[ ${f#a} == b ]] && exit "${f#a}"',
  'f={{x}}\nexport G="${f#a}" H=$f\nlocal i="${f#a}"',
  'f() { printf "%s" "$1"; }\nf {{x}}',
  'for f in {{#l}} {{.}} {{/l}}; do sort "$f"; done',
];

describe("a value that gets into code", () => {
  for (const template of CODE)
    it(`is refused with its place: ${JSON.stringify(template)}`, () => {
      const problem = problemOf(template);
      if (template.includes(":={{y}}")) return expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problem?.hint).not.toBe("");
      expect(template.slice(problem?.at)).toMatch(/^\{\{/);
    });
});

const ACTING = /\b(?:sort|find|openssl dgst)\b/g;

describe("a value that becomes an option on its way", () => {
  for (const template of OPTIONS)
    it(`is refused with its place: ${JSON.stringify(template)}`, () => {
      const problem = problemOf(template);
      expect(problem).toMatchObject({
        code: "TEMPLATE_UNSAFE_SLOT",
        message: expect.stringContaining("option"),
        hint: expect.stringContaining("`--`"),
      });
      expect(template.slice(problem?.at)).toMatch(/^\{\{/);
    });

  for (const template of OPTIONS)
    it(`is let in where its parameter allows it: ${JSON.stringify(template)}`, () => {
      // `sort` has an option by which it runs something, and `wc` has none.
      const allowed = template.replaceAll("{{x}}", "{{d}}");
      expect(problemOf(allowed.replaceAll(ACTING, "wc"))).toBeNull();
      if (allowed.search(ACTING) !== -1) expect(problemOf(allowed)?.code).toBe("TEMPLATE_UNSAFE_SLOT");
    });
});

describe("a value that stays data", () => {
  for (const template of SAFE)
    it(`is let in: ${JSON.stringify(template)}`, () => {
      expect(problemOf(template)).toBeNull();
    });
});

it("a value that is handed on and on is refused rather than lost sight of", () => {
  const chain = (length: number): string =>
    `${Array.from({ length }, (_, n) => `a${length - n}=$a${length - n - 1}`).join("\n")}\na0={{x}}\necho "x$a${length}"`;
  expect(problemOf(chain(20))).toBeNull();
  expect(problemOf(`${chain(20)}\ndc <<< "$a20"`)?.code).toBe("TEMPLATE_UNSAFE_SLOT");
  expect(problemOf(chain(150))?.message).toContain("handed on too often");
});
