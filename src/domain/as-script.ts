/** As bash would read it, if it were given each word in quotes: no word is anything but itself. */
export const asScript = (argv: readonly string[]): string =>
  argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
