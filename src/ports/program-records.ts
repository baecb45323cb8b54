/** What a program may change, and what its rules close in it. */
export interface ClosedTree {
  readonly root: string;
  /** Patterns of what it may not read, and of what it may neither write nor delete. */
  readonly hide: readonly string[];
  readonly readOnly: readonly string[];
  /** The closed places that were there before it started. They are covered. */
  readonly known: readonly string[];
}

/** Which program it is: for the ledger. */
export interface ProgramName {
  readonly program: string;
  readonly project: string;
  readonly sessionId: string;
  readonly actor: string;
  /** Null = it serves many calls. */
  readonly callId: string | null;
}

/** A program that runs, or that ran when its gate ended. */
export interface ProgramRecord {
  readonly name: ProgramName;
  readonly trees: readonly ClosedTree[];
}

/** A record of another gate's program. */
export interface ForeignRecord extends ProgramRecord {
  readonly id: string;
  /** Whether the gate that started it has ended, and the program with it. */
  readonly isOver: () => boolean;
  readonly remove: () => void;
}

/**
 * The programs that run, in the state directory: a gate that ends without notice leaves the records of its programs, and
 * the next one knows from them what was there before.
 */
export interface ProgramRecords {
  /** Throws where the record can't be written: the program must not start. Disposing of it removes the record. */
  readonly add: (record: ProgramRecord) => Disposable;
  /** Of other gates on the same state directory. */
  readonly foreign: () => readonly ForeignRecord[];
  /** Notes that the gate itself, or a program that may, puts something at these places. Asked for them only while programs run. */
  readonly admit: (places: () => readonly AdmittedPlace[]) => void;
  readonly isAdmitted: (path: string, digest: () => string | null) => boolean;
}

export interface AdmittedPlace {
  readonly path: string;
  /** SHA-256 of its content; `folder` = it is a folder, and what is in it was admitted by itself. Null = any content. */
  readonly digest: string | null;
}
