import type { FileFault } from "../../ports/files.ts";
import { MARKER_START } from "../../redact/marker.ts";

const markerCount = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(MARKER_START).length - 1, 0);

/**
 * Null, unless the new text holds more marks than the old: a file that holds one itself may keep it. An agent that has
 * read a mark must not write it back, or the secret would be gone for good. The start of one is enough: a limit may have
 * cut it.
 */
export const redactedFault = (oldTexts: readonly string[], newTexts: readonly string[]): FileFault | null =>
  markerCount(...newTexts) > markerCount(...oldTexts) ? REDACTED : null;

const REDACTED: FileFault = {
  code: "REDACTED_CONTENT",
  message: `the new content holds \`${MARKER_START}…\`, the mark of a secret that was taken out when the file was read`,
  hint: "change only the lines around it, with `edit_file`",
};
