import { readdirSync } from "node:fs";
import type { RuleSource } from "../../../src/rules/rule.ts";

export const CLOSED = {
  id: "machinery",
  effect: "deny",
  touch: {
    write: ["./**/.npmrc", "./**/.vscode/**", "./**/.git/hooks/**", "./**/.git/config", "./a/b/exact", "./**/*.tfrc"],
  },
} as const satisfies RuleSource;

const isClosed = (path: string): boolean =>
  /(?:^|\/)(?:\.npmrc|\.vscode|\.git\/(?:hooks|config|commondir)|[^/]*\.tfrc)$|^a\/b\/exact$/.test(path);

/** What lies at closed places of a folder. */
export const closedNames = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(isClosed).sort();

/** A path that is too long for the kernel is named by the folder where it becomes so. */
export const named = (path: string): string => (/^0{200}(?:\/0{200}){10,}$/.test(path) ? "(deep)" : path);

/** What a program does, and what of it is to be found and taken away. */
export const ATTACKS: readonly (readonly [name: string, script: string, made: readonly string[]])[] = [
  ["at the top", "echo evil > .npmrc", [".npmrc"]],
  ["in a folder that was there", "echo evil > sub/deep/.npmrc", ["sub/deep/.npmrc"]],
  ["in a folder that it makes", "mkdir -p n/e/w; echo evil > n/e/w/.npmrc", ["n/e/w/.npmrc"]],
  ["by renaming a file", "mv top sub/.npmrc", ["sub/.npmrc"]],
  [
    "by renaming a folder around it",
    "mkdir -p x/git/hooks; touch x/git/hooks/pre-commit; mv x/git x/.git",
    ["x/.git/hooks"],
  ],
  ["by renaming a folder to it", "mkdir v; touch v/tasks.json; mv v sub/.vscode", ["sub/.vscode"]],
  ["by a hard link", "ln old/npmrc old/.npmrc", ["old/.npmrc"]],
  ["by a link", "ln -s ../top sub/.npmrc", ["sub/.npmrc"]],
  ["by a link to a folder", "ln -s old sub/.vscode", ["sub/.vscode"]],
  ["by a link to nowhere", "ln -s /nowhere sub/deep/.npmrc", ["sub/deep/.npmrc"]],
  ["as a folder", "mkdir -p sub/.npmrc/x", ["sub/.npmrc"]],
  ["as a pipe", "mkfifo sub/.npmrc", ["sub/.npmrc"]],
  ["by its exact path", "mkdir -p a/b; touch a/b/exact", ["a/b/exact"]],
  ["by a wildcard", "mkdir w; touch w/x.tfrc w/y.tfrc", ["w/x.tfrc", "w/y.tfrc"]],
  ["in a folder that nobody may look into", "mkdir -p l/o; touch l/o/.npmrc; chmod 0 l/o l", ["l/o/.npmrc"]],
  ["in a folder that may only be listed", "mkdir l; touch l/.npmrc; chmod 400 l", ["l/.npmrc"]],
  ["in a folder that nothing may be taken from", "mkdir -p l/.vscode; chmod 500 l/.vscode l", ["l/.vscode"]],
  [
    "so deep that no path leads there",
    'n=$(printf "%0200d" 0); for i in $(seq 25); do mkdir "$n" && cd "$n"; done; touch .npmrc',
    ["(deep)"],
  ],
  ["with the time set back", "mkdir t; touch t/.npmrc; touch -d 2001-01-01 t/.npmrc t", ["t/.npmrc"]],
  ["by what a repository leads to", "mkdir -p r/.git evil; echo ../../evil > r/.git/commondir", ["r/.git/commondir"]],
  [
    "as a configuration that names a program",
    "git init -q --template= r; git -C r config core.fsmonitor evil",
    ["r/.git/config"],
  ],
  ["as a hook", "mkdir -p r/.git/hooks; echo evil > r/.git/hooks/pre-commit", ["r/.git/hooks"]],
  ["under a name with an end of line", "mkdir $'a\\nb'; touch $'a\\nb/.npmrc'", ["a\nb/.npmrc"]],
];
