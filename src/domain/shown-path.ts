/** A path as people and outcomes see it: relative to the workspace, so that it tells nothing of the machine around it. */
export function shownPath(workspace: string, path: string): string {
  const from = workspace.split("/").filter((part) => part !== "");
  const to = path.split("/").filter((part) => part !== "");
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  const up = from.slice(shared).map(() => "..");
  return [...up, ...to.slice(shared)].join("/") || ".";
}
