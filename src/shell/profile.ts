/** For `harmless`: every option that no other list names. */
export const ALL_OTHERS = "*";

/**
 * The meaning of a program's options. Names are separated by spaces; `-o` is a letter that may stand in a cluster, `--output` a
 * long name that may be abbreviated. An option that no list names is a hazard, since nobody has looked at what it does.
 */
export interface Profile {
  /** Options by which it runs other programs or code. */
  readonly runs?: string;
  readonly writes?: string;
  readonly deletes?: string;
  /** Options that make it load settings, code or data from elsewhere, or work in another place. */
  readonly turns?: string;
  /** Letters that take a value, so that what follows them in a word is no option. They are harmless if no list above has them. */
  readonly values?: string;
  /** Long options whose value is the next word, and that come before a subcommand. */
  readonly longValues?: string;
  /** `single`: options are whole words behind one dash (`find -delete`). */
  readonly style?: "single";
  /**
   * Harmless options by name, or `ALL_OTHERS`. Without it the program is not known in depth: no option is harmless, and neither
   * `--` nor a word such as `@file`, `+command` or `name=value` is taken for data.
   */
  readonly harmless?: string;
  /** More harmless options, by how they look: `-O2`. */
  readonly looks?: RegExp;
  /** Options, and operands, that run others, by how they begin: `-Wl,…`. */
  readonly begins?: RegExp;
  /** By the first operand. */
  readonly sub?: Readonly<Record<string, Profile>>;
  /** Subcommands for which this profile goes on; with it, those that are neither here nor in `sub` are hazards. */
  readonly subs?: string;
  /**
   * Where the words of another program begin: behind `--`, behind the first operand (a script of its own), or with the first
   * operand, which is the program's name.
   */
  readonly another?: "--" | "script" | "program";
  /** The letter whose value is the name of a program that gets the words behind it: `python -m pytest`. */
  readonly module?: string;
  /** Operands that are hazards: by their text, or all of them. */
  readonly operands?: {
    readonly pattern?: RegExp;
    readonly from?: number;
    /** Only the first of them, the subcommand. What stands behind an option may be its value, and does not count. */
    readonly first?: true;
    readonly why: string;
  };
  /** What in any of its words is for the program itself to act on, and may start another one: `psql -c '\! ls'`. */
  readonly says?: RegExp;
  /** What the operands are to the program: files that it shows or fills. */
  readonly files?: { readonly kind: "read" | "write"; readonly from?: number };
  /** Operands with code in a language that is looked into. */
  readonly code?: "awk" | "sed";
}
