import { CARRIERS } from "./carriers.ts";
import { EVERYDAY_PROFILES } from "./everyday-profiles.ts";
import { STARTS } from "./hazard-reasons.ts";
import { MORE_PROFILES } from "./more-profiles.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";
import { programName } from "./program-name.ts";

/** A profile as it is looked things up in. */
export interface Options {
  readonly profile: Profile;
  /** From `-o` or `--output` to why it is a hazard. */
  readonly risky: ReadonlyMap<string, string>;
  /** By the character behind a dash: whether it is risky, takes a value, or is known to be harmless. */
  readonly letters: Uint8Array;
  /** In order, so that those which begin with something stand together. */
  readonly longRisky: readonly string[];
  /** "others": each option that is not risky. Null = nothing is known of the program. */
  readonly harmless: ReadonlySet<string> | "others" | null;
  readonly longValues: ReadonlySet<string>;
  readonly sub: ReadonlyMap<string, Options> | null;
  readonly subs: ReadonlySet<string> | null;
  readonly isHarmless: boolean;
}

export const RISKY = 1;
export const TAKES_VALUE = 2;
export const HARMLESS = 4;

export const WHY = {
  runs: STARTS.another,
  writes: "makes the program write a file",
  deletes: "makes the program delete files",
  turns: "makes the program work with other files, settings or places",
} as const;

const named = (list: string | undefined): readonly string[] => list?.split(/\s+/).filter((name) => name !== "") ?? [];

const known = new Map<string, Options>();

/** The options of a program; made when they are first needed. A program that no table has is not known. */
export function optionsOf(name: string): Options {
  const found = known.get(name);
  if (found !== undefined) return found;
  const profile = PROFILES.get(name) ?? EVERYDAY_PROFILES.get(name) ?? MORE_PROFILES.get(name);
  if (profile === undefined) return Object.hasOwn(CARRIERS, name) ? ANY_OPTIONS : UNKNOWN_OPTIONS;
  const made = madeOptions(profile);
  known.set(name, made);
  return made;
}

/** The options of a program that another one starts. Programs that have readers of their own are not read there. */
export function startedOptions(name: string): Options {
  const options = optionsOf(programName(name));
  return options === ANY_OPTIONS || options.profile.code !== undefined || name === "find" ? UNKNOWN_OPTIONS : options;
}

function madeOptions(profile: Profile): Options {
  const risky = new Map<string, string>();
  for (const kind of ["turns", "writes", "deletes", "runs"] as const)
    for (const name of named(profile[kind])) risky.set(name, WHY[kind]);
  const isOthers = profile.harmless === ALL_OTHERS;
  const harmless =
    isOthers || (profile.harmless === undefined && profile.looks === undefined)
      ? null
      : new Set(named(profile.harmless));
  const { sub, subs, operands, begins, says, another, module } = profile;
  return {
    profile,
    risky,
    letters: lettersOf(risky, harmless, profile.values ?? ""),
    longRisky: [...risky.keys()].filter((name) => name.startsWith("--")).sort(),
    harmless: isOthers ? "others" : harmless,
    longValues: new Set(named(profile.longValues)),
    sub: sub === undefined ? null : new Map(Object.entries(sub).map(([name, one]) => [name, madeOptions(one)])),
    subs: subs === undefined ? null : new Set(named(subs)),
    isHarmless:
      isOthers &&
      risky.size === 0 &&
      !sub &&
      !operands &&
      subs === undefined &&
      !begins &&
      !says &&
      !another &&
      !module,
  };
}

/** Of a program that is in no table. */
export const UNKNOWN_OPTIONS = madeOptions({});
/** Of builtins and carriers, whose own readers know their options. */
export const ANY_OPTIONS = madeOptions({ harmless: ALL_OTHERS });

/** Names of options are ASCII, so that a character beyond is neither of the three. */
function lettersOf(
  risky: ReadonlyMap<string, string>,
  harmless: ReadonlySet<string> | null,
  values: string,
): Uint8Array {
  const letters = new Uint8Array(128);
  const isLetter = (name: string): boolean => name.length === 2;
  const set = (letter: string, bit: number): void => {
    letters[letter.charCodeAt(0)] = (letters[letter.charCodeAt(0)] ?? 0) | bit;
  };
  for (const name of risky.keys()) if (isLetter(name)) set(name.slice(1), RISKY);
  for (const name of harmless ?? []) if (isLetter(name)) set(name.slice(1), HARMLESS);
  for (const letter of values) set(letter, TAKES_VALUE | HARMLESS);
  return letters;
}
