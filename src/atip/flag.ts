import type { AtipOption } from "./metadata.ts";

/**
 * A bare flag: one word, nothing behind an equals sign. What `|`, `,`, brackets or angles stand in is a way to write several
 * flags or a value down, and no flag that a program has.
 */
const FLAG = /^--?[^\s=\-\p{C}|,[\](){}<>][^\s=\p{C}|,[\](){}<>]*$/u;

export const isLong = (flag: string): boolean => flag.startsWith("--");

/** The flag that is written: the first long one, else the first; null = none of them can be. */
export function flagOf({ flags }: AtipOption): string | null {
  const usable = flags.filter((flag) => FLAG.test(flag));
  return usable.find(isLong) ?? usable[0] ?? null;
}
