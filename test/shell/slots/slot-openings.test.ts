import { describe, expect, it } from "vitest";
import { unrollTemplate } from "../../../src/shell/unroll-template.ts";
import { problemOf } from "./problem-of.ts";

type Row = readonly [unsafe: string, safe: string];

const EXPORTS: readonly Row[] = [
  ["set -a; V={{x}}; make", "V={{x}}; make"],
  ["set -o allexport; V={{x}}; make", "set -o pipefail; V={{x}}; make"],
  ["declare -x V; V={{x}}; make", "declare V; V={{x}}; make"],
  ["typeset -x V; V={{x}}; make", "typeset V; V={{x}}; make"],
  ["f() { local -x C=$1; make; }; f {{x}}", "f() { C=$1; make; }; f {{x}}"],
];

const PRINTED: readonly Row[] = [
  ["export C={{x}}; envsubst < a.tpl | bash", "export C={{x}}; cat a.sh | bash"],
  ["export C={{x}}; envsubst < a.tpl | sqlite3 a.db", "export C={{x}}; grep -v a q.sql | sqlite3 a.db"],
  ["C={{x}} envsubst < m.tpl > Makefile; make", "C={{x}} envsubst < m.tpl > m.txt; make"],
  ["export C={{x}}; printenv C | bash", "export C={{x}}; printenv C | wc -c"],
  ["export C={{x}}; awk 'BEGIN { print ENVIRON[\"C\"] }' | sh", "export C={{x}}; sort a.sh | sh"],
  ["export C={{x}}; jq -n -r env.C > run.sh; bash run.sh", "export C={{x}}; jq -n -r env.C > run.txt; wc run.txt"],
  ["export C={{x}}; env | grep ^C= > v.sh; source v.sh", "export C={{x}}; env | grep ^C= > v.txt"],
  ["export C={{x}}; ./gen.sh | bash", "export C={{x}}; ./gen.sh | cat"],
];

const PERL: readonly Row[] = [
  ["perl -e 'while (<>) { $n++ } print $n' {{x}}", "perl -e 'while (<>) { $n++ } print $n' < {{x}}"],
  ["perl -e 'while (<>) { $n++ } print $n' -- {{x}}", "perl -e 'while (<STDIN>) { $n++ } print $n' -- {{x}}"],
  ["perl -e 'print while <<>>' {{x}}", "perl -e 'print while <<>>' < {{x}}"],
  ["perl -e 'print <ARGV>' {{x}}", "perl -e 'print $ARGV[0]' {{x}}"],
  ["perl -0777 -e '$_ = <>; print length' {{x}}", "perl -0777 -e '$_ = <>; print length' < {{x}}"],
  ["perl -C0ne 'print' {{x}}", "perl -C0 -e 'print' {{x}}"],
  ["perl - {{x}} <<'EOF'\nprint while <>;\nEOF", "perl - {{x}} <<'EOF'\nprint $ARGV[0];\nEOF"],
  ["perl -e 'print readline' {{x}}", "perl -e 'print readline(STDIN)' {{x}}"],
  ["X={{x}} perl -e '@ARGV = ($ENV{X}); print <>'", "X={{x}} perl -e 'print $ENV{X}'"],
  ["perl -e 'open(F, $ARGV[0])' {{x}}", "perl -e 'print length $ARGV[0]' {{x}}"],
];

const WORDS: readonly Row[] = [
  ["python3 -c 'import subprocess as sp' {{x}}", "python3 -c 'import json as sp' {{x}}"],
  ["python3 -c 'import sys, pickle as p' <<< {{x}}", "python3 -c 'import sys, json as p' <<< {{x}}"],
  ["python3 -c 'import sys, os as o' {{x}}", "python3 -c 'import sys, os' {{x}}"],
  ["python3 -c 'import asyncio; asyncio.create_subprocess_shell(a)' {{x}}", "python3 -c 'import asyncio' {{x}}"],
  ["python3 -c 'import yaml; yaml.load_all(a)' {{x}}", "python3 -c 'import yaml; yaml.safe_load_all(a)' {{x}}"],
  ["python3 -c 'from jinja2 import Template' {{x}}", "python3 -c 'from string import Template' {{x}}"],
  ["python3 -c 'import sympy' {{x}}", "python3 -c 'import math' {{x}}"],
  ["python3 -c 'd.query(a)' {{x}}", "python3 -c 'd.head(3)' {{x}}"],
  ["python3 -c 'getattr(m, a)()' {{x}}", "python3 -c 'print(d[\"code\"])' {{x}}"],
  ["ruby -e 'ERB.new(ARGV[0]).result' {{x}}", "ruby -e 'puts ARGV[0].upcase' {{x}}"],
  ["ruby -e 'URI.open(ARGV[0])' {{x}}", "ruby -e 'puts File.read(ARGV[0])' {{x}}"],
  ["node -e 'require(\"shelljs\")' {{x}}", "node -e 'require(\"fs\")' {{x}}"],
  ["node -e 'const _ = require(\"lodash\")' {{x}}", "node -e 'const _ = require(\"path\")' {{x}}"],
];

const SETTINGS: readonly Row[] = [
  ["npm install --prefix {{x}}", "npm install --prefix app"],
  ["npm ci --prefix={{x}}", "npm ci --prefix=app"],
  ["pnpm install --dir {{x}}", "pnpm install --dir app"],
  ["pnpm install -C {{x}}", "pnpm install -C app"],
  ["yarn install --cwd {{x}}", "yarn install --cwd app"],
  ["go build -C {{x}}", "go build -C app"],
  ["go env -w {{x}}", "go version"],
  ["kubectl get pods --kubeconfig {{x}}", "kubectl get pods -n {{x}}"],
  ["kubectl get pods --kubeconfig={{x}}", "kubectl get pods {{x}}"],
  ["pandoc -t {{x}} a.md", "pandoc -t html {{x}}"],
];

const CLIENTS: readonly Row[] = [
  ["printf 'SET k %s\\n' {{x}} | redis-cli", "printf %s {{x}} | redis-cli -x set k"],
  [
    "export Q={{x}}; psql -X <<'EOF'\n\\getenv q Q\nselect :q;\nEOF",
    "export Q={{x}}; psql -X <<'EOF'\n\\getenv q Q\nselect :'q';\nEOF",
  ],
  ["psql -X -v {{x}} <<'EOF'\nselect :q;\nEOF", "psql -X -v {{x}} <<'EOF'\nselect :'q';\nEOF"],
  [
    "psql -X {{#o}} -v {{key}}={{value}} {{/o}} <<'EOF'\nselect :b;\nEOF",
    "psql -X {{#o}} -v {{key}}={{value}} {{/o}} <<'EOF'\nselect :'b';\nEOF",
  ],
  [
    "psql -X -v x={{x}} <<'EOF'\nselect :'x' as q \\gset\nselect :q;\nEOF",
    "psql -X -v x={{x}} <<'EOF'\nselect :'x' as q \\gset\nselect :'q';\nEOF",
  ],
];

for (const [name, rows] of Object.entries({
  "a client's own words": CLIENTS,
  "a variable that is exported": EXPORTS,
  "what a program prints of its environment": PRINTED,
  "operands that perl opens": PERL,
  "words by which texts are run": WORDS,
  "folders and settings of a subcommand": SETTINGS,
}))
  describe(name, () => {
    it.each(rows)("is refused: %j, and not beside it: %j", (unsafe, safe) => {
      const problem = problemOf(unsafe);
      expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
      expect(problem?.hint).not.toBe("");
      expect(problemOf(safe)).toBeNull();
    });
  });

describe("a refusal names who is at fault", () => {
  it.each([
    'trap "rm -f {{x}}" EXIT; echo hi',
    "printf %s {{x}} | tee >(bash) > /dev/null",
    "mkfifo p; cat p | bash & echo {{x}} > p",
  ])("and no word that is no program: %s", (template) => {
    const problem = problemOf(template);
    expect(problem?.code).toBe("TEMPLATE_UNSAFE_SLOT");
    expect(problem?.hint).not.toContain("data_for");
  });
});

describe("a number", () => {
  it.each([
    [1e21, "1000000000000000000000"],
    [-1.5e22, "-15000000000000000000000"],
    [1.25e-7, "0.000000125"],
    [5e-324, `0.${"0".repeat(323)}5`],
    [-0.5, "-0.5"],
    [42, "42"],
    [0, "0"],
  ])("is written without an exponent: %d", (value, text) => {
    const slot = { kind: "slot", name: "n", json: false, at: 0 } as const;
    for (const json of [false, true])
      expect(unrollTemplate([{ ...slot, json }], { n: value })).toMatchObject([{ value: text }]);
    expect(Number(text)).toBe(value);
  });
});
