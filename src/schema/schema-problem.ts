/** Why a schema is not taken. Both are found before any input is checked against it. */
export interface SchemaProblem {
  readonly code: "SCHEMA_INVALID" | "SCHEMA_TOO_COMPLEX";
  /** A sentence about the schema, without it as its subject: `` `properties.a.pattern` uses a lookahead ``. */
  readonly message: string;
}

export const invalid = (message: string): SchemaProblem => ({ code: "SCHEMA_INVALID", message });

export const tooComplex = (message: string): SchemaProblem => ({ code: "SCHEMA_TOO_COMPLEX", message });
