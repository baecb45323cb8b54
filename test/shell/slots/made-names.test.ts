// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

/** A name is made of a value, and a pattern or a list of names finds it: the value is an option then. */
const FOUND: readonly string[] = [
  "{{#o}}printf '%s' {{value}} > ./{{key}}\n{{/o}}tar cf a.tar *",
  "printf '%s' {{y}} > ./{{x}}.txt; sort *",
  "printf '%s' {{y}} > ./{{x}}.txt; sort *.txt",
  "printf '%s' {{y}} >> ./{{x}}.txt; sort ?*",
  "{ echo a; } > ./{{x}}; sort [!a]*",
  "touch ./{{x}}; ls | xargs cat",
  "touch ./{{x}}; ls | sort | xargs -n 1 cat",
  "touch ./{{x}}; cat $(ls)",
  'touch ./{{x}}; for f in *; do cat "$f"; done',
  'touch ./{{x}}; for f in $(ls); do cat "$f"; done',
  'touch ./{{x}}; ls | while read -r f; do cat "$f"; done',
  "touch ./{{x}}; find . -printf '%f\\n' | xargs cat",
  "touch ./{{x}}; printf '%s\\n' * | xargs cat",
  'touch ./{{x}}; a=(*); cat "${a[@]}"',
  "touch ./{{x}}; p=*; cat $p",
  "touch ./{{x}}; cat {a,*}",
  "touch ./{{x}}; cat @(*)",
  "cp -- {{x}} out/; cd out; zip -r a.zip *",
  "mv -- {{x}} out/; cd out && chown root *",
  "sudo mkdir -- {{x}}; ls *",
  'f=./{{x}}; touch "$f"; sort *',
  'g() { touch "./$1"; }; g {{x}}; sort *',
  "for i in 1 2; do sort *; touch ./{{x}}; done",
  "curl -o ./{{x}} https://a.example; sort *",
  "curl -O https://a.example/{{x}}; sort *",
  "printf '%s\\n' {{x}} | xargs touch --; sort *",
  "tar -cf ./{{x}} a; sort *",
];

const NOT: readonly string[] = [
  "printf '%s' {{y}} > ./{{x}}.txt; sort -- *",
  "printf '%s' {{y}} > ./{{x}}.txt; sort ./*",
  "printf '%s' {{y}} > ./{{x}}.txt; sort a*",
  "printf '%s' {{y}} > ./{{x}}.txt; sort [a-z]*",
  "printf '%s' {{y}} > ./out.txt; sort *",
  "printf '%s' {{y}} > ./{{n}}.txt; sort *",
  "printf '%s' {{y}} > ./{{e}}.txt; sort *",
  "touch ./{{x}}; ls | xargs cat --",
  "touch ./{{x}}; ls -l; ls | wc -l",
  "touch ./{{x}}; find . -name '*.txt' -print0 | xargs -0 cat",
  'touch ./{{x}}; for f in ./*; do cat "$f"; done',
  "grep -e {{x}} *",
  "cat -- {{x}}; ls | xargs cat",
  "case {{x}} in *.txt) touch a ;; esac; sort *",
  "curl -d {{x}} -o out.json https://a.example; sort *",
  "touch ./{{x}}; echo * done",
];

describe("a file that is named by a value", () => {
  it.each(FOUND)("is no option to who finds it: %s", (text) => {
    expect(problemOf(text)).toMatchObject({ code: "TEMPLATE_UNSAFE_SLOT", hint: expect.stringContaining("`./`") });
  });

  it.each(NOT)("may be found where it is none: %s", (text) => {
    expect(problemOf(text)).toBeNull();
  });
});
