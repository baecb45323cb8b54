/** What an upstream lists and what is no definition. */
export interface Malformed {
  /** Null: it has none. */
  readonly name: string | null;
  readonly because: string;
}
