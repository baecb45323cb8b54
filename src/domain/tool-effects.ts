/**
 * What running a tool does to the world, as far as somebody says. A member that is left out is unknown, and unknown
 * never counts as safe. The names are those of the ATIP seed.
 */
export interface ToolEffects {
  readonly filesystem?: {
    readonly read?: boolean;
    readonly write?: boolean;
    readonly delete?: boolean;
    readonly paths?: readonly string[];
  };
  readonly network?: boolean;
  readonly subprocess?: boolean;
  readonly idempotent?: boolean;
  readonly reversible?: boolean;
  readonly destructive?: boolean;
  readonly creates?: readonly string[];
  readonly modifies?: readonly string[];
  readonly deletes?: readonly string[];
  readonly interactive?: { readonly stdin?: Stdin; readonly prompts?: boolean; readonly tty?: boolean };
  readonly cost?: { readonly estimate?: CostEstimate; readonly billable?: boolean };
  readonly duration?: { readonly typical?: string; readonly timeoutMs?: number };
}

export type Stdin = "none" | "optional" | "required" | "password";
export type CostEstimate = "free" | "low" | "medium" | "high";

/** How far the gate believes what is said of a tool. Set by the operator or a check, never by the tool. */
export type Trust = "native" | "vendor" | "org" | "community" | "user" | "inferred";
