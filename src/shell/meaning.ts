import type { Candidate, ScriptReader } from "./script-reader.ts";

/** Reads one kind of command. `interpret` is given along, for what the command carries. */
export type Meaning = (
  reader: ScriptReader,
  candidate: Candidate,
  interpret: (reader: ScriptReader, candidate: Candidate) => void,
) => void;
