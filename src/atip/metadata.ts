import type { JsonValue } from "../domain/json.ts";
import type { ToolEffects, Trust } from "../domain/tool-effects.ts";

/** What a CLI says of itself in ATIP, versions 0.1 to 0.6, once `readMetadata` has let it through. */
export interface AtipTool {
  readonly atip: string | { readonly version: string; readonly features?: readonly string[] };
  /** The name of its program. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage?: string;
  readonly binary?: { readonly hash: string; readonly platform?: string };
  readonly trust?: AtipTrust;
  /** Only some of its commands are told. */
  readonly partial?: boolean;
  readonly omitted?: {
    readonly reason?: string;
    readonly safetyAssumption?: "unknown" | "known-safe" | "known-unsafe" | "same-as-included";
  };
  readonly commands?: Readonly<Record<string, AtipCommand>>;
  readonly globalOptions?: readonly AtipOption[];
  readonly authentication?: AtipAuthentication;
  readonly effects?: AtipEffects;
  /** Recipes of several steps: shown, never run. */
  readonly patterns?: readonly JsonValue[];
  /** Words behind `--` are no options to it. Not of the standard, which has no word for this. */
  readonly "x-end-of-options"?: boolean;
}

export interface AtipTrust {
  readonly source?: Trust;
  readonly verified?: boolean;
  /** Version 0.4. */
  readonly checksum?: string;
  readonly integrity?: { readonly checksum?: string; readonly signature?: JsonValue };
  readonly provenance?: JsonValue;
}

export interface AtipAuthentication {
  readonly required?: boolean;
  readonly methods?: readonly { readonly type: string; readonly envVar?: string }[];
}

export interface AtipCommand {
  readonly description: string;
  readonly arguments?: readonly AtipArgument[];
  readonly options?: readonly AtipOption[];
  readonly commands?: Readonly<Record<string, AtipCommand>>;
  readonly effects?: AtipEffects;
  readonly examples?: readonly string[];
  readonly "x-end-of-options"?: boolean;
}

export type ParameterType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "file"
  | "directory"
  | "url"
  | "enum"
  | "array";

export interface AtipArgument {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  /** Left out = it is. */
  readonly required?: boolean;
  readonly default?: JsonValue;
  readonly variadic?: boolean;
  readonly enum?: readonly (string | number)[];
}

export interface AtipOption extends Omit<AtipArgument, "required"> {
  readonly flags: readonly string[];
  /** Left out = it is not. */
  readonly required?: boolean;
  readonly envVar?: string;
}

/** The gate's words are the seed's; only times are written in another way. */
export interface AtipEffects extends Omit<ToolEffects, "duration"> {
  /** As `60s`, `5m`, `1h`. */
  readonly duration?: { readonly typical?: string; readonly timeout?: string };
}
