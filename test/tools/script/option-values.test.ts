// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { ScriptParameter } from "../../../src/domain/script-tool.ts";
import { byName } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { optionValue } from "../../../src/tools/script/option-values.ts";
import { ScriptTemplate } from "../../../src/tools/script/script-template.ts";
import { PARAMETERS } from "../../shell/slots/problem-of.ts";

/** The parameter that is refused in a call; null = it runs. */
function refusedIn(text: string, input: JsonObject): string | null {
  const checked = checkTemplate(text, PARAMETERS);
  if (!checked.ok) throw new Error(`${text}: ${checked.problems[0]?.message}`);
  const filled = new ScriptTemplate(checked.template, byName(PARAMETERS)).fill(input);
  if (!filled.ok) throw new Error(filled.why);
  const parameters = PARAMETERS.map((parameter) => ({
    ...parameter,
    values: parameter.isClosed ? ["a", "-b"] : null,
    allowsDash: parameter.allowsDash === true,
  })) as unknown as readonly ScriptParameter[];
  const odd = optionValue(filled, parameters);
  if (odd !== null) expect(odd.fix).not.toBe("");
  return odd?.parameter ?? null;
}

type Row = readonly [template: string, odd: JsonObject, parameter: string, plain: JsonObject];

const DASHES: readonly Row[] = [
  ["sort {{x}}", { x: "-o" }, "x", { x: "o" }],
  ["tar cf b.tar {{x}}-v{{y}}", { x: "", y: "I" }, "x", { x: "a", y: "-I" }],
  ["git checkout {{x}}-f{{y}}", { x: "", y: "" }, "x", { x: "a", y: "" }],
  ["sort {{x}}-ocanary", { x: "" }, "x", { x: "a" }],
  ["cp a {{x}}-{{y}}.txt", { x: "", y: "t" }, "x", { x: "a", y: "-t" }],
  ["cp a \"{{x}}\"'-b'{{y}}", { x: "", y: "t" }, "x", { x: "a", y: "t" }],
  ["cp a {{x}}\\-b", { x: "" }, "x", { x: "a" }],
  ["sort {{x}}{{y}}", { x: "", y: "-o" }, "y", { x: "", y: "o" }],
  ["sort {{x}}{{y}}-o", { x: "", y: "" }, "y", { x: "a", y: "" }],
  ["sort {{x}}{{y}}-o", { x: "", y: "" }, "y", { x: "", y: "a" }],
  ['v={{x}}-o; sort {{y}}"$v"', { x: "", y: "" }, "x", { x: "a", y: "" }],
  ['a={{x}}; sort "$a-o{{y}}"', { x: "", y: "c" }, "x", { x: "a", y: "c" }],
  ['v="{{x}}-{{y}}"; git checkout "$v"', { x: "", y: "f" }, "x", { x: "a", y: "-f" }],
  ['f() { sort "$1-o"; }; f {{x}}', { x: "" }, "x", { x: "a" }],
  ["sort {{#l}} {{.}}-o {{/l}}", { l: ["a", ""] }, "l", { l: ["a", "b"] }],
  ["curl -s -o{{x}} {{y}}", { x: "", y: "a" }, "x", { x: "b", y: "a" }],
  ["[ {{x}}-f = a ]", { x: "" }, "x", { x: "a" }],
];

/** A `--` that is another's: of a launcher, of an interpreter before its script, of a program that knows none. */
const OTHERS_DASHES: readonly Row[] = [
  "uv run -- cat {{x}}",
  "poetry run -- cat {{x}}",
  "bundle exec -- cat {{x}}",
  "poetry run cat -- {{x}}",
  "mise exec cat -- {{x}}",
  "dotenv cat -- {{x}}",
  "timeout -- 5 cat {{x}}",
  "timeout 5 sudo -- cat {{x}}",
  "env -- cat {{x}}",
  "xargs -- cat {{x}}",
  "cargo run -- {{x}}",
  "python3 -- a.py {{x}}",
  "bash -- a.sh {{x}}",
  "dig -- {{x}}",
  "xmllint -- {{x}}",
  'v={{x}}; uv run -- cat "$v"',
].map((template): Row => [template, { x: "-n" }, "x", { x: "n" }]);

const OWN_DASHES: readonly (readonly [string, JsonObject])[] = [
  "uv run cat -- {{x}}",
  "timeout 5 cat -- {{x}}",
  "sudo -u a env B=c cat -- {{x}}",
  "env B={{y}} cat -- {{x}}",
  "nice -n 5 timeout -k 1 5 sort -- {{x}}",
  "xargs cat -- {{x}}",
  "cargo run -- -- {{x}}",
  "python3 a.py -- {{x}}",
  "perl -e 'print 1' -- {{x}}",
  "git log -- {{x}}",
  'v={{x}}; timeout 5 cat -- "$v"',
].map((template) => [template, { x: "-n", y: "b" }]);

const FORMS: readonly Row[] = [
  ["find {{x}} -name '*.tmp' -delete", { x: "!" }, "x", { x: "a!" }],
  ["find -- {{x}} -name '*.tmp'", { x: "(" }, "x", { x: "a" }],
  ["find -L {{x}} {{y}} -type f", { x: "a", y: "," }, "y", { x: "a", y: "b" }],
  ["sudo find {{x}} -type f", { x: ")" }, "x", { x: "a" }],
  ['d={{x}}; find "$d" -type f', { x: "!" }, "x", { x: "a" }],
  ["git push origin {{x}}", { x: ":main" }, "x", { x: "main" }],
  ["git push -q origin -- {{x}}", { x: "+main" }, "x", { x: "ma+in" }],
  ["git push origin refs/heads/{{x}}", { x: "a:main" }, "x", { x: "a" }],
  ["git fetch origin {{x}}", { x: "a:b" }, "x", { x: "a" }],
  ["awk '{ print }' {{x}}", { x: "FS=a" }, "x", { x: "a.txt" }],
  ["awk '{ print }' -- {{x}}", { x: "n=0" }, "x", { x: "./n=0" }],
  ["dig +short {{x}}", { x: "@a.example" }, "x", { x: "a.example" }],
  ["git rm -- {{x}}", { x: ":/" }, "x", { x: "a/b" }],
  ["git rm -- {{x}}", { x: "*" }, "x", { x: "a-b" }],
  ["git add {{x}}", { x: ":(top)a" }, "x", { x: "*.md" }],
  ["git checkout -- {{x}}", { x: ":!a" }, "x", { x: "a" }],
  ["git clean -fd -- {{x}}", { x: "[a-z]*" }, "x", { x: "a" }],
  ["git restore --staged {{x}}", { x: ":/" }, "x", { x: "a" }],
  ["git log -- {{x}}", { x: ":/" }, "x", { x: "*.md" }],
  ['f={{x}}; git rm -- "$f"', { x: ":/" }, "x", { x: "a" }],
  ["curl -d {{x}} https://a.example", { x: "@a" }, "x", { x: "a@b" }],
  ["curl -sSd {{x}} https://a.example", { x: "@/etc/passwd" }, "x", { x: "{}" }],
  ["curl --data-binary {{x}} https://a.example", { x: "@a" }, "x", { x: "a" }],
  ["curl --json {{x}} https://a.example", { x: "@a" }, "x", { x: "{}" }],
  ['v={{x}}; curl -s --data "$v" https://a.example', { x: "@a" }, "x", { x: "a" }],
  ["curl --data-urlencode {{x}} https://a.example", { x: "a@b" }, "x", { x: "q=a@b" }],
  ["curl -F f={{x}} https://a.example", { x: "<a" }, "x", { x: "a" }],
  ["curl -F f={{x}} https://a.example", { x: "a;type=b" }, "x", { x: "a@b" }],
  ["curl -F f=@{{x}} https://a.example", { x: "a,/etc/passwd" }, "x", { x: "a.txt" }],
  ["curl -H {{x}} https://a.example", { x: "@a" }, "x", { x: "A: b" }],
  ['curl -H "A: {{x}}" https://a.example', { x: "b\r\nHost: c" }, "x", { x: "@b" }],
  ["curl -b {{x}} https://a.example", { x: "a.txt" }, "x", { x: "a=b" }],
  ["curl -X {{x}} https://a.example", { x: "GET /b" }, "x", { x: "PATCH" }],
  ["curl -w {{x}} https://a.example", { x: "%output{a}" }, "x", { x: "a" }],
  ["curl {{x}}", { x: "file:///etc/passwd" }, "x", { x: "localhost:8080/a" }],
  ["curl -fsSL -- {{x}}", { x: "gopher://a.example" }, "x", { x: "https://a.example/?q=http://b" }],
  ["curl https://a.example/{{x}}", { x: "[1-9999]" }, "x", { x: "a" }],
  ["curl -s -o out https://a.example/{{x}}/b", { x: "{a,b}" }, "x", { x: "a:b" }],
  ["curl -T {{x}} https://a.example", { x: "{a,/etc/passwd}" }, "x", { x: "a.txt" }],
  ["curl --upload-file {{x}} https://a.example", { x: "[1-9]" }, "x", { x: "a.txt" }],
  ['v={{x}}; curl -d "{\\"a\\": \\"$v\\"}" https://a.example', { x: 'b","c":"d' }, "x", { x: "b" }],
  ['b="{\\"a\\": \\"{{x}}\\"}"; curl --data-raw "$b" https://a.example', { x: 'b","c":"d' }, "x", { x: "b" }],
  ['u="https://a.example/?q={{x}}"; curl "$u"', { x: "b&c=d" }, "x", { x: "b" }],
  ['v={{x}}; u="https://a.example/?q=$v"; curl -s "$u&e=f"', { x: "b&c=d" }, "x", { x: "b" }],
  ['h=https://a.example; curl "${h}{{x}}"', { x: ".evil.example" }, "x", { x: "/b" }],
  ['curl -d @- https://a.example <<EOF\n{"a": "{{x}}"}\nEOF', { x: 'b","c":"d' }, "x", { x: "b" }],
  ['curl --json @- https://a.example <<< \'{"a": "{{x}}"}\'', { x: 'b","c":"d' }, "x", { x: "b" }],
  ["tar -xf {{x}}", { x: "host:a.tar" }, "x", { x: "./a:b.tar" }],
  ["tar czf {{x}} b", { x: "h:a" }, "x", { x: "a.tgz" }],
  ["scp {{x}} host:b", { x: "c:d" }, "x", { x: "./c:d" }],
  ["rsync -a {{x}} b/", { x: "c:d" }, "x", { x: "c/d" }],
  ["ffmpeg -i {{x}} b.mp4", { x: "concat:a|b" }, "x", { x: "https://a.example/c" }],
  ["strings {{x}}", { x: "@a" }, "x", { x: "a" }],
  ["dd if=a {{x}}", { x: "of=b" }, "x", { x: "b" }],
  ["psql -d {{x}} -c 'select 1'", { x: "host=a.example" }, "x", { x: "my-db" }],
  ["psql {{x}} -c 'select 1'", { x: "postgresql://a.example/b" }, "x", { x: "b" }],
  ['psql "dbname={{x}} host=localhost" -l', { x: "a host=b" }, "x", { x: "a" }],
  ["psql --dbname={{x}} -l", { x: "service=a" }, "x", { x: "a" }],
  ["helm upgrade a b --set c={{x}}", { x: "d,image=e" }, "x", { x: "d" }],
  ["helm install a b --set=c={{x}}", { x: "{d}" }, "x", { x: "d" }],
  ["docker run --mount type=bind,src={{x}},dst=/a img ls", { x: "/b,dst=/c" }, "x", { x: "/b" }],
  ["docker exec c find {{x}} -delete", { x: "!" }, "x", { x: "a" }],
  ["find . -exec curl -d {{x}} https://a.example ';'", { x: "@a" }, "x", { x: "a" }],
  ["setfacl -m u:{{x}}:r f", { x: "a:rwx,u:b" }, "x", { x: "a" }],
  ["openssl req -new -subj /CN={{x}} -key k", { x: "a/O=b" }, "x", { x: "a.example" }],
  ["openssl req -new -addext subjectAltName=DNS:{{x}} -key k", { x: "a,DNS:b" }, "x", { x: "a" }],
  ['curl --data-urlencode "q{{x}}" https://a.example', { x: "@a" }, "x", { x: "=@a" }],
  ['curl --url-query "{{x}}{{y}}" https://a.example', { x: "q", y: "@a" }, "y", { x: "q=", y: "b" }],
  ['curl -b "a{{x}}" https://a.example', { x: ".txt" }, "x", { x: "=b" }],
  ["curl --url {{x}}", { x: "@a" }, "x", { x: "a.example" }],
  ["curl --variable {{x}} https://a.example", { x: "a@b" }, "x", { x: "a=@b" }],
  ["curl -Q {{x}} ftp://a.example", { x: "PWD\r\nDELE a" }, "x", { x: "PWD" }],
  ['curl -d \'{"a":"{{x}}"}\' https://a.example', { x: 'b","c":"d' }, "x", { x: "b, {c}: 'd'" }],
  ['curl -d "{\\"a\\":\\"{{x}}\\"}" https://a.example', { x: "b\\" }, "x", { x: "b/" }],
  ['curl --json \'[{"a":["{{x}}"]}]\' https://a.example', { x: "a\nb" }, "x", { x: "ä" }],
  ["curl --data-raw '{\"a\":{{x}}}' https://a.example", { x: '1,"b":2' }, "x", { x: '{"b":2}' }],
  ['curl "https://a.example/?q={{x}}"', { x: "a&admin=1" }, "x", { x: "a%26b/c?d" }],
  ['curl "https://a.example/?p=1&q={{x}}&r=2"', { x: "a#" }, "x", { x: "a" }],
  ['wget "https://a.example/?q={{x}}"', { x: "a&b=1" }, "x", { x: "a" }],
  ['curl "https://a.example{{x}}"', { x: ".evil.example/" }, "x", { x: "/b" }],
  ['curl "https://a.example{{x}}"', { x: "@evil.example/" }, "x", { x: "?b=@c" }],
  ['curl "http://localhost:{{x}}/a"', { x: "80@evil.example" }, "x", { x: "80" }],
  ['curl "https://{{x}}.example.com/a"', { x: "evil.example/" }, "x", { x: "eu-1.api" }],
  ['curl "https://{{x}}@a.example/"', { x: "evil.example/" }, "x", { x: "u:p" }],
  ['curl "https://{{x}}:{{y}}@a.example/"', { x: "evil.example/", y: "p" }, "x", { x: "u", y: "p" }],
  ['curl "https://{{x}}{{y}}.a.example/"', { x: "evil.example/", y: "p" }, "x", { x: "u", y: "p" }],
  ['curl "http://10.0.0.1{{x}}"', { x: "5" }, "x", { x: "/5" }],
  ['curl "http://10.0.0.1:{{x}}"', { x: "5@b" }, "x", { x: "80/a" }],
  ['curl "a.example{{x}}"', { x: ".evil.example" }, "x", { x: "/a" }],
  ['curl -s "localhost:8080{{x}}"', { x: "@evil.example/" }, "x", { x: "/a" }],
  ["curl --retry-all-errors {{x}}", { x: "file:///etc/passwd" }, "x", { x: "https://a.example" }],
  ["curl --http2-prior-knowledge {{x}}", { x: "file:///etc/passwd" }, "x", { x: "https://a.example" }],
  ["curl --no-keepalive {{x}}", { x: "file:///etc/passwd" }, "x", { x: "https://a.example" }],
  ["curl -d{{x}} https://a.example", { x: "@a" }, "x", { x: "a@" }],
  ["curl -sH{{x}} https://a.example", { x: "@a" }, "x", { x: "A: @b" }],
  ["curl -w{{x}} https://a.example", { x: "@a" }, "x", { x: "a" }],
  ['set -- a {{x}}; rm "./${1+$@}"', { x: "-rf" }, "x", { x: "b" }],
  ['a=(b {{x}}); rm "./${c:-${a[@]}}"', { x: "-rf" }, "x", { x: "b" }],
  ["expr {{x}} + 1", { x: "length" }, "x", { x: "2" }],
  ["ps {{x}}", { x: "auxe" }, "x", { x: "123" }],
  ["[ {{x}} = a -o {{y}} = b ]", { x: "!", y: "b" }, "x", { x: "a!", y: "b" }],
  ['v={{x}}; [ -n "$v" -a a = b ]', { x: "=" }, "x", { x: "a=" }],
  ["unrar t a.rar {{x}}", { x: "@a" }, "x", { x: "a" }],
];

describe("a value that a program would take for something else", () => {
  it.each([...DASHES, ...OTHERS_DASHES, ...FORMS])(
    "is refused in its call: %s %j, by its name %s, and not %j",
    (text, odd, name, plain) => {
      expect(refusedIn(text, odd)).toBe(name);
      expect(refusedIn(text, plain)).toBeNull();
    },
  );

  it.each<readonly [string, JsonObject]>([
    ...OWN_DASHES,
    ["curl --data-raw {{x}} https://a.example", { x: "@a" }],
    ["curl --data-raw {{x}} https://a.example", { x: '{"a":"b"}' }],
    ["curl -d '{\"a\":{{x|tojson}}}' https://a.example", { x: 'b","c":"d' }],
    ['curl -d \'{"a":{{n}},"b":{{o|tojson}}}\' https://a.example', { n: 3, o: { c: '"' } }],
    ['curl -d "a={{x}}&b={{y}}" https://a.example', { x: '"', y: "c&d" }],
    ['curl --data-urlencode "{{x}}={{y}}" https://a.example', { x: "a@b", y: "c@d" }],
    ["curl -d \"$(jq -n --arg a {{x}} '{a: $a}')\" https://a.example", { x: '"' }],
    ['curl "https://a.example/?{{x}}"', { x: "a=b&c=d" }],
    ['curl "https://a.example/a/{{x}}"', { x: "b?c=d&e=f#g" }],
    ["curl https://{{x}}", { x: "a.example/b@c" }],
    ['curl "https://{{x}}/a"', { x: "a.example:80" }],
    ["curl -G --data-urlencode q={{x}} https://a.example", { x: "a&b=1" }],
    ["[ {{x}} = {{y}} ]", { x: "!", y: "(" }],
    ["[[ {{x}} == a || {{y}} == b ]]", { x: "!", y: "(" }],
    ["ps -o {{x}}", { x: "pid" }],
    ["curl --data-urlencode q={{x}} https://a.example", { x: "a@b" }],
    ["curl --form-string f={{x}} https://a.example", { x: "@a" }],
    ["curl -g https://a.example/{{x}}", { x: "[1-9]" }],
    ["curl -o {{x}} https://a.example", { x: "a{b}" }],
    ["curl 'http://[::1]/'{{x}}", { x: "a" }],
    ["curl {{x}}", { x: "http://[::1]:80/a" }],
    ["dd if={{x}} of=b", { x: "a=b" }],
    ["psql -v x={{x}} -d a -c \"select :'x'\"", { x: "a=b" }],
    ["helm upgrade a b --set-literal c={{x}}", { x: "d,e" }],
    ["openssl req -new -key {{x}}", { x: "a/b" }],
    ["tar --force-local -xf {{x}}", { x: "a:b" }],
    ["git --literal-pathspecs rm -- {{x}}", { x: ":/" }],
    ["git show {{x}}", { x: ":a" }],
    ["git commit -m {{x}}", { x: ": a *" }],
    ["tar cf b.tar -- {{x}}-v{{y}}", { x: "", y: "I" }],
    ["cat ./{{x}}-v", { x: "" }],
    ["printf '%s' {{x}}-{{y}}", { x: "", y: "a" }],
    ["echo a > {{x}}-v", { x: "" }],
    ['v={{x}}-{{y}}; echo a > "$v"', { x: "", y: "a" }],
    ["curl -o {{x}} {{y}}", { x: "", y: "a" }],
    ["ls -l{{e}}", { e: "" }],
    ["wc {{d}}", { d: "-l" }],
    ["sort {{e}}", { e: "-b" }],
    ["find . -name {{x}}", { x: "!" }],
    ["find . -exec grep -e {{x}} {} +", { x: "(" }],
    ["find ./{{x}} -type f", { x: "!" }],
    ["git fetch {{x}}", { x: "https://a.example/b" }],
    ["git commit -m {{x}}", { x: ":a" }],
    ["awk -v a={{x}} '{ print a }' f", { x: "b=c" }],
    ["awk '{ print }' ./{{x}}", { x: "n=0" }],
    ["grep -e {{x}} find", { x: "(" }],
    ['mkdir "$(date +%F)-{{x}}"', { x: "a" }],
  ])("may be anything where nobody does: %s %j", (text, input) => {
    expect(refusedIn(text, input)).toBeNull();
  });
});
