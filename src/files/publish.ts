import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { type FileResult, fault, ok } from "../ports/files.ts";
import { randomName } from "./draft.ts";
import { changed, errnoOf, exists, faultFromError } from "./faults.ts";
import type { ReadyTarget } from "./target.ts";

/** A file that is in its new state, and the way back. */
interface Published {
  readonly label: string;
  readonly undo: () => void;
  /** Gives up the way back. */
  readonly forget: () => void;
}

/**
 * Puts every file into its new state, or none. Synchronous, so that two changes of this process never come between the
 * last look and the renames. Each file goes over in one step; what it was is kept beside it until the last one is done.
 */
export function publishAll(targets: readonly ReadyTarget[]): FileResult<null> {
  for (const target of targets) {
    const same = stillAsJudged(target);
    if (!same.ok) return same;
  }
  const done: Published[] = [];
  for (const target of targets) {
    // Nothing can fail behind the last one, so there is no need for a way back.
    const published = publish(target, target === targets.at(-1) ? "for good" : "revocably");
    if (!published.ok) return undone(done, published);
    done.push(published.value);
  }
  return forgotten(done);
}

const SAME = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const satisfies (keyof BigIntStats)[];

function stillAsJudged({ path, stats, change, label }: ReadyTarget): FileResult<null> {
  try {
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === null) return now === undefined ? ok(null) : taken(change.onlyNew, label);
    return now !== undefined && SAME.every((field) => now[field] === stats[field]) ? ok(null) : changed(label);
  } catch (error) {
    return faultFromError(error, label);
  }
}

const taken = (onlyNew: true | undefined, label: string) => (onlyNew ? exists(label) : changed(label));

function publish(target: ReadyTarget, mode: "revocably" | "for good"): FileResult<Published> {
  try {
    return ok(target.stats === null ? create(target) : replace(target, mode));
  } catch (error) {
    const { label, change, stats } = target;
    if (stats === null && errnoOf(error) === "EEXIST") return taken(change.onlyNew, label);
    return faultFromError(error, label);
  }
}

/** `link` refuses where `rename` would replace what somebody else has put there meanwhile. */
function create({ path, draft, label }: ReadyTarget): Published {
  if (draft === null) throw new TypeError("what is not there can't go away");
  linkSync(draft.path, path);
  return { label, undo: () => unlinkSync(path), forget: () => unlinkSync(draft.path) };
}

function replace(target: ReadyTarget, mode: "revocably" | "for good"): Published {
  const { path, draft, label, cursor } = target;
  const putInPlace = () => (draft === null ? unlinkSync(path) : renameSync(draft.path, path));
  if (mode === "for good") {
    putInPlace();
    return { label, undo: () => {}, forget: () => {} };
  }
  const aside = cursor.at(randomName());
  linkSync(path, aside);
  const forget = () => unlinkSync(aside);
  try {
    putInPlace();
  } catch (error) {
    forget();
    throw error;
  }
  return { label, undo: () => renameSync(aside, path), forget };
}

function undone(done: readonly Published[], { fault: why }: FileResult<never> & { ok: false }): FileResult<never> {
  const stuck = done.toReversed().filter(({ undo }) => !succeeds(undo));
  if (done.length === 0) return { ok: false, fault: why };
  if (stuck.length === 0) return { ok: false, fault: { ...why, message: `${why.message}; nothing was changed` } };
  const message = `${why.message}; ${namesOf(stuck)} had been changed by then and could not be put back`;
  return fault("IO_ERROR", message, "look at these files before changing them again");
}

/** Everything is in place by now: a fault must not sound as if it were not. */
function forgotten(done: readonly Published[]): FileResult<null> {
  const left = done.filter(({ forget }) => !succeeds(forget));
  if (left.length === 0) return ok(null);
  const message = `everything was changed, but a second name of ${namesOf(left)} is left, which begins with \`.toolgate-\``;
  return fault("IO_ERROR", message, "delete it by hand");
}

const namesOf = (some: readonly Published[]): string => some.map(({ label }) => label).join(", ");

function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
