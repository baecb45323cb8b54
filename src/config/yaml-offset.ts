import { isMap, isScalar, isSeq, type Scalar } from "yaml";
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

/** Where a character of a text value is written; where the text is folded or escaped, where the value begins. */
export function offsetInText(source: string, root: unknown, path: Path, at: number): number {
  let node = root;
  for (const step of path) node = memberOf(node, step).value;
  const { value, range } = node as Scalar.Parsed; // only texts have places within
  const [start, end] = range;
  const text = String(value);
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(lineStart).split("\n", 1)[0] as string;
  const written = source.slice(start, end).indexOf(line);
  return written === -1 ? start : start + written + at - lineStart;
}

function memberOf(node: unknown, step: string | number): { key?: unknown; value?: unknown } {
  if (isSeq(node) && typeof step === "number") return { value: node.items[step] };
  if (!isMap(node)) return {};
  return node.items.find(({ key }) => isScalar(key) && key.value === step) ?? {};
}
