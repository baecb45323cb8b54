import { isJsonObject, type JsonObject } from "../domain/json.ts";
import type { Path } from "../schema/mismatch.ts";

/** The variables that hold secrets of servers, each with its place. */
export function upstreamSecrets(
  servers: JsonObject = {},
  place: Path = ["tools", "mcp"],
): readonly { readonly name: string; readonly at: Path }[] {
  return Object.entries(servers).flatMap(([server, given]) =>
    ["env", "headers"].flatMap((part) => {
      const values = isJsonObject(given) ? given[part] : undefined;
      return Object.entries(isJsonObject(values) ? values : {}).flatMap(([key, value]) =>
        isJsonObject(value) && typeof value["secret"] === "string"
          ? [{ name: value["secret"], at: [...place, server, part, key] }]
          : [],
      );
    }),
  );
}
