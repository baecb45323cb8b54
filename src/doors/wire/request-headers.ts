import type { IncomingMessage } from "node:http";

/** What the guards ask of a request. `Headers` of the web are such too. */
export interface RequestHeaders {
  readonly get: (name: string) => string | null;
  readonly has: (name: string) => boolean;
}

/**
 * The headers as they came in. Not Node's own table, which takes the first of two hosts and says nothing: what stands there
 * twice is joined, as `Headers` does, and so is like neither. Making those costs more than a guard asks for.
 */
export const headersOf = ({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): RequestHeaders => ({
  get: (name) => joined(rawHeaders, name),
  has: (name) => joined(rawHeaders, name) !== null,
});

function joined(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? "";
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    const value = rawHeaders[at + 1] ?? "";
    found = found === null ? value : `${found}, ${value}`;
  }
  return found;
}
