/** The file that a command's first word leads to. */
export interface ResolvedProgram {
  /** Absolute and free of links, as of now. */
  readonly path: string;
  /** The name that it was found under: some programs do another thing under each of their names. */
  readonly named: string;
  /** It lies in a toolchain root, where no tool can write: rules may call it by its bare name. */
  readonly toolchain: boolean;
}

/** Who knows which program a word means. Reads only. */
export interface Programs {
  /** As the shell would find it: a bare name in the toolchain roots, a path from `cwd`. Null = there is none. */
  readonly resolve: (word: string, cwd: string) => Promise<ResolvedProgram | null>;
}

/** Who knows the content of programs. */
export interface ProgramHashes {
  /** SHA-256 in lower-case hexadecimal of the file at this path; null = it can't be read. */
  readonly sha256: (path: string) => Promise<string | null>;
}
