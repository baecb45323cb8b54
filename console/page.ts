import type { ToolgateClient } from "../src/client/connect.ts";
import type { ServerEvent } from "../src/client/event-blocks.ts";
import type { Desk } from "./desk.ts";

/** What a page is given. */
export interface PageParts {
  readonly gate: ToolgateClient;
  readonly desk: Desk;
  /** Says something to whoever listens instead of looking. */
  readonly announce: (text: string) => void;
  /** Of what a request threw: a token that is known no more ends the console. */
  readonly failed: (error: unknown) => void;
}

/** Where somebody is: `#/calls/call_1?status=FAILED` is the page `calls`, of `call_1`, with a filter. */
export interface Place {
  readonly page: string;
  readonly item: string | null;
  readonly query: URLSearchParams;
}

/** One of the console's pages, on the screen. */
export interface Page {
  readonly title: string;
  readonly element: HTMLElement;
  /** Whether the same page shows the other place; false: it has to be opened anew. */
  readonly goTo?: (place: Place) => boolean;
  readonly hear?: (event: ServerEvent) => void;
  readonly key?: (event: KeyboardEvent) => void;
  readonly close?: () => void;
}

export function placeFrom(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", item] = path.split("/");
  return {
    page: page === "" ? "questions" : page,
    item: item === undefined || item === "" ? null : decoded(item),
    query: new URLSearchParams(query),
  };
}

/** What nobody encoded is what it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a place, for links. */
export function placeAt(page: string, item: string | null = null, query: Record<string, string> = {}): `#/${string}` {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${page}${item === null ? "" : `/${encodeURIComponent(item)}`}${asked === "" ? "" : `?${asked}`}`;
}
