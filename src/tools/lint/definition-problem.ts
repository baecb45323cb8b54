/** Something about a tool's definition that its author, or whoever lets it in, should know. */
export interface DefinitionProblem {
  readonly tool: string;
  /** `error`: the gate, or a model's provider, does not take it so. */
  readonly level: "error" | "warning";
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** Of a tool whose name is known from elsewhere. */
export type Finding = Omit<DefinitionProblem, "tool">;

export const error = (field: string, rule: string, message: string): Finding => ({
  level: "error",
  field,
  rule,
  message,
});

export const warning = (field: string, rule: string, message: string): Finding => ({
  level: "warning",
  field,
  rule,
  message,
});
