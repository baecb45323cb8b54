import { expect, it } from "vitest";
import { type As, isRoot, ranAs } from "../../support/as-somebody.ts";
import { needs } from "../../support/parts.ts";

interface Tried {
  readonly alone: string;
  readonly left: readonly string[];
  readonly together: string;
  readonly leftTogether: readonly string[];
  readonly beside: string;
  readonly kept: readonly [readonly string[], readonly string[], string];
}

const USERS: readonly As[] = isRoot ? ["this user", "an ordinary user"] : ["this user"];
const FILES = ["beside.sh", "try.sh", "wait.sh"];
const refusals = (said: string): number =>
  (said.match(/Read-only file system|Is a directory|resource busy/g) ?? []).length;

needs(
  "bwrap",
  "prlimit",
  "setpriv",
)("a path that is denied, below folders that are not there", () => {
  it.each(USERS)("can't be made by programs of %s, who may make what lies beside it; nothing stays", async (as) => {
    const tried = await ranAs<Tried>(as, "makes-closed-path.ts");
    expect(refusals(tried.alone)).toBeGreaterThanOrEqual(6);
    expect(tried.left).toEqual(FILES);
    expect(refusals(tried.together)).toBe(1);
    expect(tried.leftTogether).toEqual([...FILES, "go"].sort());
    expect(refusals(tried.beside)).toBe(2);
    expect(tried.kept).toEqual([[...FILES, "go", "new"].sort(), ["mine"], "good\n"]);
  });
});
