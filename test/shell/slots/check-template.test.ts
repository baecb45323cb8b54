// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { PARAMETERS, problemOf } from "./problem-of.ts";

/** Where bash, or a program, would read the value as something else than text. */
const UNSAFE: readonly string[] = [
  "echo $(( {{x}} + 1 ))",
  "echo $[ {{x}} ]",
  "(( {{x}} > 1 ))",
  "for (( i = 0; i < {{x}}; i++ )); do echo a; done",
  "let a={{x}}",
  "eval {{x}}",
  "eval \"echo '{{x}}'\"",
  "bash -c {{x}}",
  "sh -c 'echo {{x}}'",
  'env sh -c "ls {{x}}"',
  "find . -exec sh -c 'cat {{x}}' ';'",
  "xargs sh -c {{x}}",
  "echo {{x}} | bash",
  "bash <<EOF\necho {{x}}\nEOF",
  "python3 -c {{x}}",
  'python3 -c "print({{x}})"',
  "node -e {{x}}",
  "perl -e '{{x}}'",
  "awk '{{x}}' file",
  "awk '/{{x}}/ { print }' file",
  "sed 's/a/{{x}}/' file",
  "sed -n {{x}} file",
  "sed -e {{x}} file",
  "awk -F : {{x}} file",
  "a[{{x}}]=1",
  "a=([{{x}}]=1)",
  'echo "${a[{{x}}]}"',
  "[[ -v {{x}} ]]",
  'k={{x}}\nsed "s/root/$k/" f',
  'k={{x}}\nawk "{ print \\"$k\\" }" f',
  "timeout 5 awk {{x}} f",
  "sed --expression={{x}} f",
  "sed -l 5 {{x}} f",
  "command sed {{x}} f",
  "make {{x}}",
  "make NAME={{x}}",
  "git -c alias.z={{x}} z",
  "split --filter={{x}} f",
  "tar -I {{x}} -cf a b",
  "flock f -c {{x}}",
  "RANDOM={{x}}",
  "[[ {{x}} =~ ^v(.*)$ ]] && (( BASH_REMATCH[1] > 3 )) && echo new",
  'op={{x}}; f={{x}}\n[ "$op" "$f" ] && echo yes',
  '[ -v "{{x}}" ]',
  "test -v {{x}}",
  "[[ {{x}} -eq 1 ]]",
  '[[ 1 -lt "{{x}}" ]]',
  "[[ a =~ {{x}} ]]",
  "[[ a =~ ^{{x}}$ ]]",
  "printf -v {{x}} a",
  "printf {{x}}",
  "printf '%s'{{x}} a",
  "read -r {{x}} < f",
  "declare {{x}}=1",
  'declare "{{x}}=1"',
  'declare -i a="{{x}}"',
  "declare -n a={{x}}",
  "unset {{x}}",
  "export {{x}}",
  "cat <<'EOF'\n{{x}}\nEOF",
  "cat <<{{x}}\na\n{{x}}",
  "{{x}} a",
  '"{{x}}"',
  "./{{x}} a",
  "exec {{x}}",
  "command {{x}}",
  "timeout 5 {{x}}",
  "a=1 {{x}}",
  "{{x}}=1",
  "f{{x}}() { :; }",
  "for {{x}} in a; do :; done",
  "echo ${{x}}",
  'echo "$a{{x}}"',
  "echo ${a:-{{x}}}",
  'echo "${a/{{x}}/b}"',
  "echo ${a:{{x}}}",
  "echo `cat {{x}}`",
  'echo $"{{x}}"',
  "echo \\{{x}}",
  'echo "\\{{x}}"',
  "cat <<EOF\n\\{{x}}\nEOF",
  "echo ~{{x}}",
  "echo {a,{{x}}}",
  "echo [{{x}}]",
  "echo @({{x}}|b)",
  "trap {{x}} EXIT",
  "trap 'rm {{x}}' EXIT",
  "source {{x}}",
  ". {{x}}",
  "alias a={{x}}",
  "PATH={{x}}",
  "IFS={{x}} read -r a < f",
  "LD_PRELOAD={{x}} ls",
  "BASH_ENV={{x}} bash f",
  "ls -{{x}}",
  "ls --{{x}}",
  "head -{{x}} f",
  "ssh host ls {{x}}",
  "set {{x}}",
  "shopt -s {{x}}",
  "mapfile -C {{x}} a < f",
  "a={{x}}; echo $((a))",
  'a="{{x}}"; eval "$a"',
  'a="{{x}}"; echo "${!a}"',
  'a="{{x}}"; echo "${a@P}"',
  'a="{{x}}"; printf -v "$a" b',
  'a="{{x}}"; [[ -v $a ]]',
  'a="{{x}}"; bash -c "$a"',
  'a={{x}}; [[ "$a" -eq 1 ]]',
  "let a=(1+2) b={{x}}+{{x}}",
  "echo a >& {{x}}",
  'echo a >&"{{x}}"2',
  'a={{x}}; echo b >& "$a"',
  'declare -a a="{{x}}"',
  "local -a a={{x}}",
  "declare a={{x}}",
  "export -a a={{x}}",
  'b={{x}}\ndeclare -a a="$b"',
  'b={{x}}\na=(1)\nlocal a="$b"',
  "`which find` {{x}}",
  "$a {{x}}",
  '"$@" {{x}}',
  "{,} {{x}}",
  "env $a {{x}}",
  "[ $a {{x}} ]",
  'a={{x}}; b="$a"; echo $((b))',
  "read -r a <<< {{x}}; echo $((a))",
  "for a in {{x}}; do echo $((a)); done",
  "a=$(cat {{x}}); echo $((a))",
  "{{#b}}echo '{{/b}}{{x}}",
  'echo {{#b}}"{{/b}}{{x}}"',
  "{{#l}}cat <<EOF\n{{/l}}{{x}}\nEOF\n",
];

/** The same intentions, as they can be written. */
const SAFE: readonly string[] = [
  '[ "${#a[@]}" -ge 1 ] && echo {{x}}',
  "timeout $t ls; echo {{x}}",
  "echo a > {{x}} 2>&1",
  "echo a &> {{x}}",
  "export A={{x}}",
  "local a\na={{x}}",
  './"$a"/tool {{x}}',
  'a={{n}}\nb="$a"\ncat -- {{x}}\necho $((b))',
  "echo '{{#l}}' {{.}} '{{/l}}'",
  "awk -v a={{x}} 'NR == 1 { print a }' {{y}}",
  "sed -n 1p {{x}}",
  "echo {{x}} \"{{x}}\" '{{x}}' $'{{x}}'",
  "cat <<EOF\n{{x}} ${HOME}\nEOF",
  "n={{n}}; echo $((n + 1))",
  "head -{{n}} f",
  "ls -{{e}}",
  "printf '%s\\n' {{x}}",
  "bash script.sh {{x}}",
  "python3 script.py -- {{x}}",
  "awk -f prog.awk {{x}}",
  "case {{x}} in a) echo {{y}} ;; esac",
  '[[ {{x}} == "{{y}}" && -f {{x}} ]]',
  '[[ a =~ "{{x}}" ]]',
  "cat < {{x}} > {{y}}",
  'for i in {{x}} {{y}}; do echo "$i"; done',
  "# {{x}} in a comment\necho a # and {{y}} here",
  'curl {{#o}} -H "{{key}}: {{value}}" {{/o}} -- {{x}}',
  "curl \\\n  {{#l}}\n  -H {{.}} \\\n  {{/l}}\n  {{x}}",
  "{{^x}}echo none{{/x}}{{#x}}echo {{x}}{{/x}}",
  "{{#l}}{{#o}}echo {{key}} {{.}}{{/o}}\n{{/l}}",
  "A={{x}} env",
  "a=({{x}} {{#l}} {{.}} {{/l}})",
  'a="{{x}}"; cat -- "$a"',
  'echo $(cat {{x}}) "$(cat "{{x}}")" <(cat {{x}})',
  "sqlite3 -safe db {{x}}",
  "echo {{z|default('a')}}",
  "echo '\\{{x}}' '$ {{x}}'",
];

describe("unsafe slots", () => {
  for (const template of UNSAFE) {
    it(`are refused with the place and what to do: ${JSON.stringify(template)}`, () => {
      const problem = problemOf(template);
      expect(problem?.code).toMatch(/^TEMPLATE_(?:UNSAFE_SLOT|INVALID)$/);
      expect(problem?.hint).not.toBe("");
      if (problem?.code === "TEMPLATE_UNSAFE_SLOT") expect(template.slice(problem.at)).toMatch(/^\{\{/);
    });
  }

  it("are more than twenty", () => {
    const unsafe = UNSAFE.filter((template) => problemOf(template)?.code === "TEMPLATE_UNSAFE_SLOT");
    expect(unsafe.length).toBeGreaterThan(60);
  });
});

describe("safe slots", () => {
  for (const template of SAFE) {
    it(`are let in: ${JSON.stringify(template)}`, () => {
      expect(problemOf(template)).toBeNull();
    });
  }
});

describe("names", () => {
  it("have to be declared, unless they have a default", () => {
    expect(problemOf("echo {{z}}")).toMatchObject({ code: "TEMPLATE_UNDECLARED", at: 5 });
    expect(problemOf("{{#z}}a{{/z}}")?.code).toBe("TEMPLATE_UNDECLARED");
    expect(checkTemplate("echo {{z|default(1)}}", PARAMETERS)).toMatchObject({ ok: true, undeclared: ["z"] });
  });

  it("of a section are known inside it alone", () => {
    expect(problemOf("echo {{.}}")?.code).toBe("TEMPLATE_UNDECLARED");
    expect(problemOf("{{#l}}echo {{key}}{{/l}}")?.code).toBe("TEMPLATE_UNDECLARED");
    expect(problemOf("{{#o}}echo {{key}}{{/o}} {{value}}")?.code).toBe("TEMPLATE_UNDECLARED");
    expect(problemOf("{{^l}}echo {{.}}{{/l}}")?.code).toBe("TEMPLATE_UNDECLARED");
  });

  it("of our own are nobody else's", () => {
    expect(problemOf("echo $__toolgate_v {{x}}")?.message).toContain("reserved");
  });
});

describe("what is in double braces", () => {
  for (const text of [
    "{{}}",
    "{{ x y }}",
    "{{x|upper}}",
    "{{x|default(y)}}",
    "{{!x}}",
    "{{>x}}",
    "{{x",
    "{{#x}}",
    "{{/x}}",
  ])
    it(`is of the language or refused: ${text}`, () => {
      expect(problemOf(`echo ${text}`)?.code).toBe("TEMPLATE_INVALID");
    });
});
