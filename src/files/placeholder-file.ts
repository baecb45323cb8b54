import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { Placeholder } from "../ports/trees.ts";
import { codeOf, DRAFT, LEAVING, place, unplace, within } from "./placeholders.ts";

/** Files of a repository that git reads wherever they are, and would not go on if they were folders; and a text of each that says nothing. */
const SAYING_NOTHING: readonly (readonly [place: RegExp, text: string])[] = [
  // The rest of the repository is right here.
  [/\/\.git\/commondir$/, ".\n"],
  [/\/\.git\/(?:worktrees\/[^/]+\/)?config\.worktree$/, "# put here by toolgate while a program runs\n"],
];
const TRIES_MAX = 10;

/** What is to stand in a file of this path; null = it is a folder that is placed there. */
export const textPlacedAt = (path: string): string | null =>
  SAYING_NOTHING.find(([place]) => place.test(path))?.[1] ?? null;

/**
 * The same as a placeholder that is a file, which can hold no claims: these lie in a folder beside it, that programs have to be
 * kept from as well. Null: something else is there, or it can't be made.
 */
export function placeFile(path: string, text: string): Placeholder | null {
  // As gates of before have put it there.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return place(path);
  const claims = path.replace(/[^/]+$/, ".toolgate-$&");
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const held = place(claims);
    if (held === null) return null;
    // INVARIANT (one of two sees the other): who comes claims and then looks who leaves; who leaves says so and then looks for claims.
    if (readdirSync(claims).some((name) => name.endsWith(LEAVING))) {
      unplace(held);
      continue;
    }
    const stats = fileAt(path, text, held.claim);
    if (stats !== null) return { ...stats, path, claim: held.claim, claims };
    unplace(held);
    return null;
  }
  // It would go, and whatever relies on it would not be told.
  throw new Error(`\`${path}\` is being taken away by another process`);
}

/** The file comes with its text: half of it would be somebody's own to others, and to git a fault. */
function fileAt(path: string, text: string, claim: string): { readonly dev: bigint; readonly ino: bigint } | null {
  const code = codeOf(() =>
    within(claim, (held) => {
      const draft = `${held}/${DRAFT}`;
      writeFileSync(draft, text, { flag: "wx" }); // into no file that a link leads to
      try {
        linkSync(draft, path);
      } finally {
        unlinkSync(draft);
      }
    }),
  );
  if (code !== null && code !== "EEXIST") return null;
  try {
    const { dev, ino, size } = lstatSync(path, { bigint: true });
    return size === BigInt(text.length) && readFileSync(path, "latin1") === text ? { dev, ino } : null;
  } catch {
    return null;
  }
}

/** Two that leave at once may both take the other for one who stays: then it is left for the next program, and says nothing. */
export function unplaceFile({ path, dev, ino, claim }: Placeholder, claims: string): void {
  const leaving = `${claim}${LEAVING}`;
  const isSaid = codeOf(() => mkdirSync(leaving)) === null;
  codeOf(() => rmdirSync(claim));
  if (isSaid && isAlone(claims, leaving)) {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats?.dev === dev && stats.ino === ino) codeOf(() => unlinkSync(path));
  }
  for (const left of [leaving, claims]) codeOf(() => rmdirSync(left));
}

const isAlone = (claims: string, leaving: string): boolean =>
  readdirSync(claims).every((name) => `${claims}/${name}` === leaving);
