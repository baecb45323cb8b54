import { LIMITS } from "../../../domain/limits.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { truncateText } from "../../../redact/truncate.ts";
import { textFrom } from "../text-from.ts";

/** As much as a person reads. */
const BYTES_MAX = LIMITS.entryTextBytes.maximum;

/** What would be published, for who approves it. INVARIANT (redact first): a secret is gone before the text is cut. */
export function contentPreview(bytes: Uint8Array, { certain }: Redactor): string {
  const text = textFrom(bytes);
  if (text === null) return `${bytes.length} bytes that are no text\n`;
  return `${truncateText(certain.text(text), BYTES_MAX).text}\n`;
}
