import type { ToolEffects, Trust } from "../../domain/tool-effects.ts";
import type { ConfirmationContext, ExecutionResult, PolicyViolation, ValidationError } from "./types.ts";

/** What all errors of this API are. Told apart by `code` as well as by class. */
export class AtipExecuteError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

export class UnknownCommandError extends AtipExecuteError {
  readonly toolName: string;

  constructor(toolName: string, message = `no command is called \`${toolName}\``) {
    super("UNKNOWN_COMMAND", message);
    this.toolName = toolName;
  }
}

export class ArgumentValidationError extends AtipExecuteError {
  readonly errors: readonly ValidationError[];

  constructor(errors: readonly ValidationError[]) {
    super("ARGUMENT_VALIDATION", errors.map(({ message }) => message).join("; "));
    this.errors = errors;
  }
}

export class PolicyViolationError extends AtipExecuteError {
  readonly violations: readonly PolicyViolation[];
  readonly effects: ToolEffects;

  constructor(violations: readonly PolicyViolation[], effects: ToolEffects, message?: string) {
    super(violations[0]?.code ?? "POLICY_VIOLATION", message ?? violations.map((each) => each.message).join("; "));
    this.violations = violations;
    this.effects = effects;
  }
}

/** A person has to say yes, and nobody can be asked. */
export class RequiresConfirmationError extends AtipExecuteError {
  readonly context: ConfirmationContext;

  constructor(context: ConfirmationContext) {
    super("REQUIRES_CONFIRMATION", `\`${context.toolName}\` needs a confirmation: ${context.reasons.join(", ")}`);
    this.context = context;
  }
}

export class InsufficientTrustError extends AtipExecuteError {
  readonly actual: Trust;
  readonly required: Trust;

  constructor(actual: Trust, required: Trust) {
    super("TRUST_INSUFFICIENT", `the tool is trusted as \`${actual}\`, and \`${required}\` is the least`);
    this.actual = actual;
    this.required = required;
  }
}

/** It could not be started, or its end is not known. */
export class ExecutionError extends AtipExecuteError {
  /** As far as it came. */
  readonly result: ExecutionResult | null;

  constructor(code: string, message: string, result: ExecutionResult | null = null) {
    super(code, message);
    this.result = result;
  }
}

export class TimeoutError extends AtipExecuteError {
  /** In milliseconds. */
  readonly timeout: number;
  /** With what it had printed by then. */
  readonly result: ExecutionResult;

  constructor(timeout: number, result: ExecutionResult) {
    super("TIMEOUT", `the command did not end within ${timeout} ms`);
    this.timeout = timeout;
    this.result = result;
  }
}

export class InteractiveNotSupportedError extends AtipExecuteError {
  readonly interactive: ToolEffects["interactive"];

  constructor(toolName: string, interactive: ToolEffects["interactive"]) {
    super("INTERACTIVE_BLOCKED", `\`${toolName}\` waits for a person at a terminal`);
    this.interactive = interactive;
  }
}
