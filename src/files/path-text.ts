import { LIMITS } from "../domain/limits.ts";
import { type FileResult, fault } from "../ports/files.ts";

/**
 * Refuses text that can't name a file. All else is taken as it is: no percent-decoding, no `~`, no backslash rules,
 * no Unicode normalisation, because the kernel compares bytes and knows none of these.
 */
export function pathTextFault(rawPath: string): FileResult<never> | undefined {
  if (rawPath === "") return fault("PATH_INVALID", "the path is empty", "name a file, such as `notes.txt`");
  if (rawPath.includes("\0")) return fault("PATH_INVALID", "the path holds a NUL character", "leave it out");
  // Encoding would turn it into U+FFFD, which is another file's name.
  if (!rawPath.isWellFormed()) return fault("PATH_INVALID", "the path is not well-formed Unicode", "send valid UTF-8");
  const bytesMax = LIMITS.pathBytes.maximum;
  if (Buffer.byteLength(rawPath) > bytesMax) {
    return fault("PATH_INVALID", `the path is longer than ${bytesMax} bytes`, "name the file by a shorter path");
  }
  return undefined;
}
