import type { FileFault } from "../../ports/files.ts";

/** How a redacted value begins. An agent that has read one must not write it back: the secret would be gone for good. */
const MARKER = "[REDACTED:";

const markerCount = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(MARKER).length - 1, 0);

/** Null, unless the new text holds more marks than the old: a file that holds one itself may keep it. */
export const redactedFault = (oldTexts: readonly string[], newTexts: readonly string[]): FileFault | null =>
  markerCount(...newTexts) > markerCount(...oldTexts) ? REDACTED : null;

const REDACTED: FileFault = {
  code: "REDACTED_CONTENT",
  message: `the new content holds \`${MARKER}…\`, the mark of a secret that was taken out when the file was read`,
  hint: "change only the lines around it, with `edit_file`",
};
