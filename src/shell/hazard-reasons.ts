/** Why a word is a hazard, where by such a word a program may start another one, or run what it is told. */
export const STARTS = {
  another: "makes the program run another one",
  subcommand: "runs another program",
  elsewhere: "runs programs elsewhere",
  later: "runs programs later",
  transport: "names a transport that runs a program",
  remote: "changes where git connects to",
  gitSettings: "changes settings by which git runs programs",
  unknownSubcommand: "is a subcommand of which nothing is known",
  unknownOption: "is an option of which nothing is known",
  makeVariable: "changes a variable of the makefile",
  archive: "packs, unpacks or runs",
  address: "runs a program or opens a file",
  orChanges: "runs or changes something else",
  editor: "is an editor that runs commands",
  editorCommand: "runs a command of the editor",
  pagerCommand: "runs a command of the pager",
  psqlCommand: "is a command of psql",
  sqliteCommand: "is a command of the shell of sqlite",
  ownCommand: "holds what its program may start another one by",
  code: "is code that is not read",
  loads: "makes the program load more code",
  awk: "is a program that runs commands",
  sed: "is a script that runs commands",
  sedInput: "is a script that runs what it reads",
  unreadSed: "is a script that can't be read",
} as const;

const REASONS: ReadonlySet<string> = new Set(Object.values(STARTS));

/** Whether by a hazard of this kind something may be started. */
export const mayStart = (hazard: string): boolean => REASONS.has(hazard);
