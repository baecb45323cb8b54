import { visibleLine } from "../../domain/visible.ts";
import type { SessionInfo } from "../../wiring/gate.ts";

/** One session in one line. */
export function sessionLine({ id, kind, label, lease, parentId, state }: SessionInfo): string {
  if (kind === "implicit") return `${id}  this process, bound by nothing but the rules`;
  const parts = [
    state === "ended" ? "ended" : `until ${lease.expires ?? "it is closed"}`,
    `tools ${count(lease.tools)}`,
    ...(parentId === null ? [] : [`below ${parentId}`]),
    ...(label === "" ? [] : [visibleLine(label)]),
  ];
  return `${id}  ${parts.join(", ")}`;
}

const count = (scope: SessionInfo["lease"]["tools"]): string =>
  scope === "everything" ? "all" : scope.length === 0 ? "none" : visibleLine(scope.join(" "));
