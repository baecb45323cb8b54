// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { describe, expect, it } from "vitest";
import type { TemplateParameter } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";

const PARAMETERS: readonly TemplateParameter[] = [
  { name: "x", type: "string", isClosed: false },
  { name: "n", type: "number", isClosed: false },
];
const codeOf = (text: string): string | null => {
  const checked = checkTemplate(text, PARAMETERS);
  return checked.ok ? null : (checked.problems[0]?.code ?? "");
};

/** What is refused, and beside it what its author can write. */
const FOLDERS: readonly (readonly [string, string])[] = [
  ["cd {{x}} && ./run.sh", "(cd {{x}} && ls)\n./run.sh"],
  ["cd -- {{x}} && bin/run", "cd -- {{x}} && /opt/bin/run"],
  ["cd {{x}} && bash x.sh", "cd {{x}} && bash /opt/x.sh"],
  ["cd {{x}}; source ./x", "source ./x; cd {{x}}; ls"],
  ["cd {{x}}; . ./x", "cd {{x}}; . /opt/x"],
  ["cd out/{{x}}; python3 tool.py", "cd out/{{n}}; python3 tool.py"],
  ['d={{x}}; cd "$d"; sed -f a.sed f', 'd={{x}}; cd "$d"; sed -n 1p f'],
  ["pushd {{x}}; timeout 5 ./run.sh", "pushd {{x}}; timeout 5 wc -l f"],
  ["command cd {{x}}; ./run.sh", "v=$(cd {{x}} && ls); ./run.sh"],
  ["f() { ./run.sh; }; cd {{x}}; f", "f() { ls; }; cd {{x}}; f"],
  ["g() { cd {{x}}; }; g; ./run.sh", "g() { (cd {{x}}; ls); }; g; ./run.sh"],
  ["for i in 1 2; do ./run.sh; cd {{x}}; done", "for i in 1 2; do ./run.sh; done; cd {{x}}"],
  ["while :; do bash a.sh; pushd {{x}}; done", "while :; do bash a.sh {{x}}; done"],
  ["git --git-dir={{x}} status", "git --git-dir=.git status -- {{x}}"],
  ["git --git-dir {{x}} status", "git --git-dir .git log -- {{x}}"],
  ["git --work-tree={{x}} status", "git -C out/{{n}} status"],
];

const TABLES: readonly (readonly [string, string])[] = [
  ["RSYNC_RSH={{x}} rsync a b:", "rsync -- ./{{x}} b"],
  ["export RIPGREP_CONFIG_PATH={{x}}; rg a", "rg -e {{x}} ."],
  ["kubectl --kubeconfig {{x}} get pods", "kubectl --kubeconfig=a get pods -- {{x}}"],
  ["kubectl --kubeconfig={{x}} get pods", "kubectl --kubeconfig a get pods -- {{x}}"],
  ["pandoc --lua-filter {{x}} a.md", "pandoc -o a.html -- {{x}}"],
  ["pandoc --filter={{x}} a.md", "pandoc -t html -o {{x}} a.md"],
  ["pandoc -F {{x}} a.md", "pandoc --metadata title={{x}} a.md"],
  ["fzf --preview {{x}}", "fzf --filter {{x}}"],
  ["fzf --bind={{x}}", "fzf -q {{x}}"],
  ["watchexec {{x}}", "watchexec -- ls\nls -- {{x}}"],
  ["helm install --post-renderer {{x}} a b", "helm status -- {{x}}"],
  ["terraform -chdir={{x}} plan", "terraform plan -var a={{x}}"],
  ["pip install -r {{x}}", "pip show {{x}}"],
  ["pip install --index-url {{x}} a", "pip install -r requirements.txt\npip show {{x}}"],
];

describe.each([
  ["a folder that a value names", FOLDERS],
  ["an option or a variable by which a program runs something", TABLES],
] as const)("%s", (_, rows) => {
  it.each(rows)("is refused: %j, and not beside it: %j", (unsafe, safe) => {
    expect([codeOf(unsafe), codeOf(safe)]).toEqual(["TEMPLATE_UNSAFE_SLOT", null]);
  });
});
