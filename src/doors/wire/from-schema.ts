import type { JsonObject, JsonValue } from "../../domain/json.ts";

type Properties = Readonly<Record<string, JsonObject>>;

/** What a checked value is, as far as the schemas of our routes go. */
export type FromSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: "string" }
      ? string
      : S extends { readonly type: "integer" | "number" }
        ? number
        : S extends { readonly type: "boolean" }
          ? boolean
          : S extends { readonly type: "array"; readonly items: infer Items }
            ? readonly FromSchema<Items>[]
            : S extends { readonly type: "object"; readonly properties: infer Members extends Properties }
              ? ObjectFrom<Members, S extends { readonly required: readonly (infer Names)[] } ? Names : never>
              : S extends { readonly type: "object" }
                ? JsonObject
                : JsonValue;

type ObjectFrom<Members extends Properties, Required> = {
  readonly [Name in keyof Members as Name extends Required ? Name : never]: FromSchema<Members[Name]>;
} & {
  readonly [Name in keyof Members as Name extends Required ? never : Name]?: FromSchema<Members[Name]>;
};
