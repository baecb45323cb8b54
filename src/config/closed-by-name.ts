import { realPath } from "./real-path.ts";

/**
 * INVARIANT (closed by name): the built-in rules close what is trusted to tools by its name, wherever it is. Behind a link it
 * may have another, and a tool could write there: then it is not what it says.
 */
export function isClosedByName(path: string, name: "toolgate/trusted"): boolean {
  const real = realPath(path);
  return real.ok ? real.path.endsWith(`/${name}`) : !LINKED.has(real.code);
}

/** Links to nowhere, and in a circle. What else keeps a path from being followed keeps it from being read, too. */
const LINKED: ReadonlySet<string> = new Set(["ENOENT", "ELOOP"]);
