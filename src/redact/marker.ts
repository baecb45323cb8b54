/** How every marker begins. What was cut in the middle of one still has it. */
export const MARKER_START = "[REDACTED:";
const NAME_LENGTH_MAX = 64;
/** No marker is longer. */
export const MARKER_BYTES_MAX = MARKER_START.length + NAME_LENGTH_MAX + 1;
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MARKER = /\[REDACTED:[A-Za-z0-9_.-]{1,64}\]/;

/** What may stand in a marker: the id of a rule, the name of a secret or of a user's pattern. */
export const isMarkerName = (name: string): boolean => NAME.test(name);

/** What takes the place of a secret. INVARIANT (marker): every redaction leaves exactly this, and nothing else does. */
export const markerOf = (rule: string): string => `${MARKER_START}${rule}]`;

/** Whether a text was redacted. A write that carries markers back would destroy the file it was read from. */
export const containsMarker = (text: string): boolean => text.includes(MARKER_START) && MARKER.test(text);

/** Where markers stand. The text is one character per byte, so the places are byte places too. */
export function markerPlaces(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes(MARKER_START)) return [];
  const all = text.matchAll(new RegExp(MARKER, "g"));
  return Array.from(all, ({ 0: marker, index }) => ({ start: index, end: index + marker.length }));
}
