import { isJsonObject, type JsonValue } from "../../../domain/json.ts";
import type { Secret } from "../../../domain/secret.ts";
import type { SecretHeader, WebRequest } from "../../../ports/web.ts";

export type SearchBackendName = "searxng" | "brave" | "tavily";

/** Who is asked, as the configuration says it. */
export interface SearchBackend {
  readonly name: SearchBackendName;
  /** Of the service; without a path of its own. */
  readonly url: string;
  readonly key: Secret | null;
}

export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

interface Protocol {
  readonly request: (
    base: string,
    query: string,
    limit: number,
  ) => Pick<WebRequest, "url" | "method" | "headers" | "body">;
  readonly keyHeader: Pick<SecretHeader, "name" | "prefix">;
  /** Where in the answer the pages stand, and what their parts are called there. */
  readonly pages: (answer: JsonValue) => JsonValue | undefined;
  readonly text: "content" | "description";
}

const JSON_ANSWER = { accept: "application/json" } as const;

const member = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  value !== undefined && isJsonObject(value) ? value[name] : undefined;

const withQuery = (base: string, path: string, query: Readonly<Record<string, string>>): string =>
  `${base.replace(/\/+$/, "")}${path}?${new URLSearchParams(query)}`;

export const SEARCH_PROTOCOLS: Readonly<Record<SearchBackendName, Protocol>> = {
  searxng: {
    request: (base, query) => ({
      url: withQuery(base, "/search", { q: query, format: "json" }),
      method: "GET",
      headers: JSON_ANSWER,
      body: null,
    }),
    keyHeader: { name: "authorization", prefix: "Bearer " },
    pages: (answer) => member(answer, "results"),
    text: "content",
  },
  brave: {
    request: (base, query, limit) => ({
      url: withQuery(base, "/res/v1/web/search", { q: query, count: String(limit), text_decorations: "false" }),
      method: "GET",
      headers: JSON_ANSWER,
      body: null,
    }),
    keyHeader: { name: "x-subscription-token", prefix: "" },
    pages: (answer) => member(member(answer, "web"), "results"),
    text: "description",
  },
  tavily: {
    request: (base, query, limit) => ({
      url: `${base.replace(/\/+$/, "")}/search`,
      method: "POST",
      headers: { ...JSON_ANSWER, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ query, max_results: limit })),
    }),
    keyHeader: { name: "authorization", prefix: "Bearer " },
    pages: (answer) => member(answer, "results"),
    text: "content",
  },
};

/** The pages of an answer, in its order; null = it is not such an answer. What is no page in it is passed over. */
export function pagesIn(answer: JsonValue, { pages, text }: Protocol, limit: number): readonly FoundPage[] | null {
  const found = pages(answer);
  if (found === undefined) return answerIsEmpty(answer) ? [] : null;
  if (!Array.isArray(found)) return null;
  return found
    .flatMap((page: JsonValue): FoundPage[] => {
      const url = member(page, "url");
      if (typeof url !== "string") return [];
      return [{ title: textOr(member(page, "title"), url), url, text: textOr(member(page, text), "") }];
    })
    .slice(0, limit);
}

/** Brave leaves `web` out where it has found nothing. */
const answerIsEmpty = (answer: JsonValue): boolean => isJsonObject(answer) && member(answer, "type") === "search";

const textOr = (value: JsonValue | undefined, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;
