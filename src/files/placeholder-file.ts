import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { Placeholder } from "../ports/trees.ts";
import { beside, inHeldFolder, type Spot } from "./in-held-folder.ts";
import { codeOf, DRAFT, isAbandoned, LEAVING, nameOf, placeIn, unplaceIn, within } from "./placeholders.ts";

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
export const placeFile = (path: string, text: string): Placeholder | null =>
  inHeldFolder(path, (spot) => placeFileIn(spot, text));

function placeFileIn(spot: Spot, text: string): Placeholder | null {
  // As gates of before have put it there.
  if (lstatSync(spot.at, { throwIfNoEntry: false })?.isDirectory() === true) return placeIn(spot);
  const claims = claimsOf(spot);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const held = placeIn(claims);
    if (held === null) return null;
    // INVARIANT (one of two sees the other): who comes claims and then looks who leaves; who leaves says so and then looks for claims.
    if (isBeingLeft(claims)) {
      unplaceIn(claims, held);
      continue;
    }
    const identity = fileAt(spot, text, `${claims.at}/${nameOf(held.claim)}`);
    if (identity !== null) return { ...identity, path: spot.path, claim: held.claim, claims: claims.path };
    unplaceIn(claims, held);
    return null;
  }
  // It would go, and whatever relies on it would not be told.
  throw new Error(`\`${spot.path}\` is being taken away by another process`);
}

const claimsOf = (spot: Spot): Spot => beside(spot, `.toolgate-${nameOf(spot.path)}`);

type Identity = Pick<Placeholder, "dev" | "ino">;

/** The file comes with its text: half of it would be somebody's own to others, and to git a fault. */
function fileAt({ at }: Spot, text: string, claim: string): Identity | null {
  const code = codeOf(() =>
    within(claim, (held) => {
      const draft = `${held}/${DRAFT}`;
      writeFileSync(draft, text, { flag: "wx" }); // into no file that a link leads to
      try {
        linkSync(draft, at);
      } finally {
        unlinkSync(draft);
      }
    }),
  );
  if (code !== null && code !== "EEXIST") return null;
  try {
    return identityOf(at, text);
  } catch {
    return null;
  }
}

/** Null: it says something else. No link is followed and no pipe waited for: the gate would stand still. */
function identityOf(at: string, text: string): Identity | null {
  const fd = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const isOurs = stats.isFile() && stats.size === BigInt(text.length) && readFileSync(fd, "latin1") === text;
    return isOurs ? { dev: stats.dev, ino: stats.ino } : null;
  } finally {
    closeSync(fd);
  }
}

/** Two that leave at once may both take the other for one who stays: then it is left for the next program, and says nothing. */
export const unplaceFile = (placed: Placeholder): void =>
  void inHeldFolder(placed.path, (spot) => unplaceFileIn(spot, placed));

function unplaceFileIn(spot: Spot, { dev, ino, claim }: Placeholder): void {
  const claims = claimsOf(spot);
  const name = nameOf(claim);
  const leaving = `${name}${LEAVING}`;
  codeOf(() =>
    within(claims.at, (held) => {
      const isSaid = codeOf(() => mkdirSync(`${held}/${leaving}`)) === null;
      codeOf(() => rmdirSync(`${held}/${name}`));
      if (isSaid && readdirSync(held).every((one) => one === leaving)) {
        const stats = lstatSync(spot.at, { bigint: true, throwIfNoEntry: false });
        if (stats?.dev === dev && stats.ino === ino) codeOf(() => unlinkSync(spot.at));
      }
      codeOf(() => rmdirSync(`${held}/${leaving}`));
    }),
  );
  codeOf(() => rmdirSync(claims.at));
}

/** Also where it is gone by now. */
function isBeingLeft({ at }: Spot): boolean {
  let isLeft = true;
  codeOf(() =>
    within(at, (held) => {
      isLeft = readdirSync(held).some((name) => name.endsWith(LEAVING) && !isAbandoned(held, name));
    }),
  );
  return isLeft;
}
