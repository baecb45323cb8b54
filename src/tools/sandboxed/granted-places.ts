import { LIMITS } from "../../domain/limits.ts";
import type { Trees } from "../../ports/trees.ts";
import { ANY_DEPTH, matchesComponent, type PathComponent } from "../../rules/path-component.ts";
import { compilePathPattern } from "../../rules/path-pattern.ts";
import { folderOf } from "../../rules/restrictions.ts";

/** Between two of these, others get their turn. */
const FOLDERS_AT_ONCE = 200;

/**
 * The files and trees that a pattern of a grant stands for now: `F/**` is the tree, `F` the one file; what has wildcards
 * before is what they match. Only folders that a match can lie in are read. Null: there is more than can be looked through.
 */
export async function grantedPlaces(
  text: string,
  workspace: string,
  trees: Pick<Trees, "list">,
): Promise<readonly string[] | null> {
  const pattern = compilePathPattern(text, workspace);
  if ("error" in pattern) return [];
  const { components } = pattern;
  const isTree = components.at(-1) === ANY_DEPTH;
  const root = folderOf(pattern);
  const named = root === "/" ? 0 : root.split("/").length - 1;
  if (components.length === named || (isTree && components.length === named + 1)) return [root];

  const found: string[] = [];
  const waiting = [root];
  let [folders, entries] = [0, 0];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { content } = trees.list(folder);
    for (const { name, kind } of typeof content === "string" ? [] : content) {
      const path = `${folder === "/" ? "" : folder}/${name}`;
      if ((kind === "file" || (kind === "directory" && isTree)) && pattern.matches(path)) found.push(path);
      else if (kind === "directory" && reachesInto(components, path)) waiting.push(path);
      if (++entries > LIMITS.walkEntries.maximum) return null;
    }
    if (++folders % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

/** Whether a match can lie below the folder: each of its names is the pattern's, as far as that counts them. */
function reachesInto(components: readonly PathComponent[], folder: string): boolean {
  let start = 1;
  for (const component of components) {
    if (component === ANY_DEPTH || start > folder.length) return true;
    const slash = folder.indexOf("/", start);
    const end = slash === -1 ? folder.length : slash;
    if (!matchesComponent(component, folder, start, end)) return false;
    start = end + 1;
  }
  return false;
}
