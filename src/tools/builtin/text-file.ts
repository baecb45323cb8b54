import { type Digest, digestOfBytes } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type CheckedPath, type FileResult, type Files, fault, ok } from "../../ports/files.ts";
import { labelled } from "./file-plan.ts";

export interface TextFile {
  readonly text: string;
  readonly digest: Digest;
}

const BYTES_MAX = LIMITS.editBytes.maximum;

/** A whole file as text, for tools that change text. Bytes that are no text would be lost in an edit, so they are refused. */
export async function readTextFile(files: Files, path: CheckedPath): Promise<FileResult<TextFile>> {
  const shown = files.shown(path);
  const read = await files.read(path, { offset: 0, limit: BYTES_MAX + 1 });
  if (!read.ok) return read;
  if (read.value.length > BYTES_MAX) return tooLargeToEdit(shown);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.value);
    return ok({ text, digest: digestOfBytes(read.value) });
  } catch {
    return fault("NOT_TEXT", `${labelled(shown)} is not UTF-8 text`, "replace it as a whole with `write_file`");
  }
}

/** The new text as bytes, unless they are too many. */
export function bytesFromText(text: string, shownPath: string): FileResult<Uint8Array> {
  const bytes = Buffer.from(text);
  return bytes.length > BYTES_MAX ? tooLargeToEdit(shownPath) : ok(bytes);
}

const tooLargeToEdit = (shownPath: string) =>
  fault(
    "FILE_TOO_LARGE",
    `${labelled(shownPath)} is over the ${BYTES_MAX} bytes that an edited file may have`,
    "replace it as a whole with `write_file`",
  );
