import { BUDGET_KINDS } from "../../domain/budget.ts";
import { visibleLine } from "../../domain/visible.ts";
import type { SessionInfo } from "../../wiring/gate.ts";

/** One session in one line. */
export function sessionLine({ id, kind, label, lease, parentId, spent, state }: SessionInfo): string {
  if (kind === "implicit") return `${id}  this process, bound by nothing but the rules`;
  const parts = [
    state === "ended" ? "ended" : `until ${lease.expires ?? "it is closed"}`,
    `tools ${count(lease.tools)}`,
    ...(spent === null ? [] : BUDGET_KINDS.flatMap((name) => used(name, lease.budget[name], spent[name]))),
    ...(parentId === null ? [] : [`below ${parentId}`]),
    ...(label === "" ? [] : [visibleLine(label)]),
  ];
  return `${id}  ${parts.join(", ")}`;
}

const count = (scope: SessionInfo["lease"]["tools"]): string =>
  scope === "everything" ? "all" : scope.length === 0 ? "none" : visibleLine(scope.join(" "));

const used = (name: string, limit: number | null, spent: number): readonly string[] =>
  limit === null ? [] : [`${Math.ceil(spent)} of ${limit} ${name}`];
