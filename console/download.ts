import type { ToolgateClient } from "../src/client/connect.ts";
import { more } from "./buttons.ts";
import { saveFile } from "./dom.ts";

/** Where a blob is read from, and who hears what went wrong. */
export interface DownloadParts {
  readonly gate: Pick<ToolgateClient, "readBlob">;
  readonly tell: (error: unknown) => void;
}

interface Kept {
  readonly hash: string;
  readonly bytes: number;
  /** The entry that tells of it: who answers no questions has to name it. */
  readonly seq: number | undefined;
}

/** What was too long for an outcome, as a file. It is saved and never opened, whatever is in it. */
export function download({ hash, bytes, seq }: Kept, { gate, tell }: DownloadParts): HTMLButtonElement {
  const save = async () => {
    const response = await gate.readBlob({ hash, ...(seq !== undefined && { seq }) });
    saveFile(`${hash}.bin`, await response.arrayBuffer());
  };
  return more(`Download all of it (${bytes} bytes)`, () => void save().catch(tell));
}
