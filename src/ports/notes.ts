/**
 * Small texts that a tool keeps between calls, and over the end of the process, by name: letters, digits, `-` and `/`.
 * They are shared by all gates on one state directory. Losing one costs time and nothing else, so nothing here fails.
 */
export interface Notes {
  /** Null = there is none, or it is not ours. */
  readonly read: (name: string) => string | null;
  /** The whole text or none of it. */
  readonly write: (name: string, text: string) => void;
  /** Writes it where there is none; false = there is one. Of all who try at once, one is told true. */
  readonly claim: (name: string, text: string) => boolean;
  readonly remove: (name: string) => void;
  /** The names in a folder, the oldest first. */
  readonly list: (folder: string) => readonly string[];
}
