import { isJsonObject, type JsonObject, type JsonValue } from "../../src/domain/json.ts";
import { member, typeFromSchema } from "./type-from-schema.ts";

type Members = Readonly<Record<string, JsonValue>>;

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly input: readonly string[];
  readonly kind: "json" | "events" | "text" | "bytes";
  readonly answer: string;
  readonly queries: readonly string[];
  readonly hasBody: boolean;
}

const HEAD = "// Made by `node scripts/write-client.ts` from the OpenAPI document. Changes here are lost.\n\n";

const KINDS: Readonly<Record<string, Operation["kind"]>> = {
  "application/json": "json",
  "text/event-stream": "events",
  "text/plain": "text",
  "application/octet-stream": "bytes",
};

/** The files of the typed client, by name. */
export function clientFiles(document: JsonObject): Readonly<Record<string, string>> {
  const used = new Set<string>();
  const named = (name: string) => void used.add(name);
  const { paths, components } = document as { paths: Members; components: { schemas: Members } };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Members).map(([method, one]) => operationFrom(method, path, one as JsonObject, named)),
  );
  return {
    "answers.ts": `${HEAD}${Object.entries(components.schemas)
      .map(([name, schema]) => `export interface ${name} ${typeFromSchema(schema, () => {})}`)
      .join("\n\n")}\n`,
    "operations.ts": `${HEAD}import type { ${[...used].sort().join(", ")} } from "./answers.ts";

/** What each operation takes and answers. */
export interface Operations {
${operations.map(signature).join("\n")}
}
`,
    "routes.ts": `${HEAD}import type { RouteRow } from "./request.ts";
import type { Operations } from "./operations.ts";

/** Where each operation is found, and which of what it takes goes into the query. */
export const ROUTES = {
${operations.map(row).join("\n")}
} as const satisfies { readonly [Id in keyof Operations]: RouteRow };
`,
  };
}

function operationFrom(method: string, path: string, operation: JsonObject, named: (name: string) => void): Operation {
  const parameters = (operation["parameters"] ?? []) as readonly JsonObject[];
  const of = (place: string) => parameters.filter((one) => one["in"] === place && one["name"] !== "project");
  const body = contentOf(operation["requestBody"])[0]?.[1];
  const bodyMembers = isJsonObject(body) ? ((body["properties"] ?? {}) as Members) : {};
  const required = new Set(isJsonObject(body) ? ((body["required"] ?? []) as readonly string[]) : []);
  const answers = Object.entries((operation["responses"] ?? {}) as Members)
    .filter(([status]) => status !== "default")
    .flatMap(([, response]) => contentOf(response))
    .filter(([mediaType]) => mediaType in KINDS);
  const types = [...new Set(answers.map(([, schema]) => typeFromSchema(schema, named)))];
  return {
    id: String(operation["operationId"]),
    summary: String(operation["summary"]),
    method: method.toUpperCase(),
    path,
    input: [
      ...[...of("path"), ...of("query")].map((one) =>
        member(String(one["name"]), one["schema"] as JsonValue, one["required"] === true, named),
      ),
      ...Object.entries(bodyMembers).map(([name, schema]) => member(name, schema, required.has(name), named)),
    ],
    kind: KINDS[answers[0]?.[0] ?? ""] ?? "json",
    answer: types.join(" | "),
    queries: of("query").map((one) => String(one["name"])),
    hasBody: body !== undefined,
  };
}

/** Media types and their schemas. */
function contentOf(holder: JsonValue | undefined): readonly (readonly [string, JsonValue | undefined])[] {
  const content = isJsonObject(holder) ? holder["content"] : undefined;
  if (!isJsonObject(content)) return [];
  return Object.entries(content).map(([mediaType, media]) => [
    mediaType,
    isJsonObject(media as JsonValue) ? (media as JsonObject)["schema"] : undefined,
  ]);
}

const signature = ({ id, summary, input, kind, answer }: Operation): string => `
/** ${summary} */
readonly ${id}: { readonly input: ${input.length === 0 ? "Record<string, never>" : `{ ${input.join(" ")} }`}; readonly kind: "${kind}"; readonly answer: ${answer} };`;

const row = ({ id, method, path, kind, queries, hasBody }: Operation): string =>
  `${id}: ${JSON.stringify({ method, path, kind, queries, hasBody })},`;
