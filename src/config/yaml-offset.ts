import { isMap, isScalar, isSeq } from "yaml";
import type { Path } from "../schema/mismatch.ts";
import { startOf } from "./yaml-walk.ts";

/** Where the value at a path begins, or its key. What is not there is where its nearest ancestor is. */
export function offsetAt(root: unknown, path: Path, what: "key" | "value"): number {
  let node = root;
  let offset = startOf(root);
  for (const [depth, step] of path.entries()) {
    const { key, value } = memberOf(node, step);
    if (key === undefined && value === undefined) break;
    offset = startOf(
      key !== undefined && (value === null || (what === "key" && depth === path.length - 1)) ? key : value,
    );
    node = value;
  }
  return offset;
}

function memberOf(node: unknown, step: string | number): { key?: unknown; value?: unknown } {
  if (isSeq(node) && typeof step === "number") return { value: node.items[step] };
  if (!isMap(node)) return {};
  return node.items.find(({ key }) => isScalar(key) && key.value === step) ?? {};
}
