import type { TouchVerdict } from "../domain/call.ts";
import type { Plan } from "../domain/plan.ts";
import type { ShownTouch } from "../domain/question.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import { riskOf } from "./risk.ts";

/**
 * Files that programs run or obey without being asked to: build files, hooks, settings of shells, editors and package
 * managers, and what the machine starts. Matched against the path behind the workspace.
 */
const RUN_BY_THEMSELVES: readonly RegExp[] = [
  /(?:^|\/)(?:GNU)?makefile(?:\.\w+)?$|\.mk$|(?:^|\/)(?:justfile|taskfile\.ya?ml|rakefile|gemfile|procfile|vagrantfile|jenkinsfile)$/i,
  /(?:^|\/)(?:dockerfile|containerfile)(?:\.[\w-]+)?$|(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$|(?:^|\/)cmakelists\.txt$|(?:^|\/)meson\.build$/i,
  /(?:^|\/)(?:package(?:-lock)?\.json|pnpm-workspace\.yaml|setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|conftest\.py|build\.rs|cargo\.toml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|pom\.xml|build\.sbt|gradlew|mvnw|configure)$/i,
  /(?:^|\/)[\w.-]+\.config\.[cm]?[jt]s$|(?:^|\/)\.[\w-]*rc(?:\.[\w.]+)?$|(?:^|\/)\.pnpmfile\.cjs$|(?:^|\/)sitecustomize\.py$/i,
  /(?:^|\/)\.(?:git|github|gitlab|circleci|husky|githooks|vscode|idea|zed|vim|emacs\.d|cursor|claude|devcontainer|ssh|cargo|bundle|mvn)\//i,
  /(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.pre-commit-config\.yaml|\.gitmodules|\.gitconfig|\.gitattributes|\.envrc|\.mcp\.json|\.(?:bash|zsh|k|c|tc)\w*|\.profile|\.inputrc|\.exrc|\.gdbinit|crontab)$/i,
  /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|service|timer|desktop|pth)$/i,
];

/** Why an approver should look at a touch first; null = there is no such reason. For people: it decides nothing. */
function hazardOf(touch: Touch, { workspace }: Pick<Plan, "workspace">): string | null {
  if (touch.kind === "unknown") return "can't be read before it runs";
  if (touch.kind === "exec") return riskOf([touch]) === "HIGH" ? "a command that can do harm" : null;
  if (!isFileTouch(touch) || touch.kind === "read") return null;
  const root = workspace.endsWith("/") ? workspace : `${workspace}/`;
  if (!touch.path.startsWith(root)) return "outside the workspace";
  if (touch.kind === "delete") return "deletes";
  const path = touch.path.slice(root.length);
  if (RUN_BY_THEMSELVES.some((pattern) => pattern.test(path))) return "programs run or obey such a file by themselves";
  return riskOf([touch]) === "HIGH" ? "the machine loads or runs such a file" : null;
}

/** The touches of a question, the most hazardous first. Those of the same rank keep the order of the plan. */
export function touchesByHazard(touches: readonly TouchVerdict[], plan: Plan): readonly ShownTouch[] {
  const shown = touches.map((verdict): ShownTouch => {
    const hazard = verdict.fault === undefined ? hazardOf(verdict.touch, plan) : "a rule about it could not be decided";
    return hazard === null ? verdict : { ...verdict, hazard };
  });
  const existing = new Set(plan.operands.filter(({ before }) => before !== null).map(({ path }) => path));
  return shown.toSorted((a, b) => rankOf(a, existing) - rankOf(b, existing));
}

/** Unknown things and commands come before files: what they do is not bounded by one path. */
function rankOf({ touch, hazard }: ShownTouch, existing: ReadonlySet<string>): number {
  const isFile = isFileTouch(touch);
  if (hazard !== undefined) return isFile ? 1 : 0;
  if (!isFile) return touch.kind === "exec" && riskOf([touch]) === "LOW" ? 5 : 2;
  if (touch.kind === "read") return 6;
  return existing.has(touch.path) ? 3 : 4;
}
