import { isInteractive } from "../../atip/execution-policy.ts";
import type { Outcome, Refusal } from "../../domain/outcome.ts";
import type { Gate } from "../../wiring/gate.ts";
import {
  ArgumentValidationError,
  type AtipExecuteError,
  ExecutionError,
  InsufficientTrustError,
  InteractiveNotSupportedError,
  PolicyViolationError,
  RequiresConfirmationError,
  TimeoutError,
  UnknownCommandError,
} from "./errors.ts";
import { type About, executionResult } from "./execution-result.ts";
import { checkPolicy } from "./policy.ts";
import type { CommandMapping, ConfirmationContext, ExecutionResult, ExecutorPolicy } from "./types.ts";
import { validationError } from "./validation.ts";

/** One call, with all that is known of it. */
export interface Made {
  readonly mapping: CommandMapping;
  readonly about: About;
  readonly policy: ExecutorPolicy;
  readonly context: ConfirmationContext;
  /** What the caller wants taken out of all that was printed, also where an error carries it. */
  readonly clean: (text: string) => string;
}

/** From the gate's one outcome to the seed's result or error. */
export async function settled(outcome: Outcome, made: Made, gate: Gate): Promise<ExecutionResult | AtipExecuteError> {
  switch (outcome.kind) {
    case "completed":
      return cleaned(await executionResult(outcome, made.about, gate), made);
    case "failed": {
      const result = cleaned(await executionResult(outcome, made.about, gate), made);
      if (result.timedOut) return new TimeoutError(made.about.limits.timeout, result);
      const { code, message } = outcome.error;
      return result.exitCode === null ? new ExecutionError(code, message, result) : result;
    }
    case "refused":
      return refusalError(outcome.refusal, made);
    case "pending":
      return new RequiresConfirmationError(made.context);
    case "unknown":
      return new ExecutionError(outcome.error.code, outcome.error.message);
    default:
      return outcome satisfies never;
  }
}

const cleaned = (result: ExecutionResult, { clean }: Made): ExecutionResult => ({
  ...result,
  stdout: clean(result.stdout),
  stderr: clean(result.stderr),
});

function refusalError(refusal: Refusal, { mapping, policy, context }: Made): AtipExecuteError {
  const { violations, trust, effects } = checkPolicy(null, mapping, policy);
  const forbidden = violations.filter(({ confirmable }) => !confirmable);
  switch (refusal.code) {
    case "TOOL_UNKNOWN":
      return new UnknownCommandError(mapping.name);
    case "INVALID_ARGUMENTS":
      return new ArgumentValidationError(
        (refusal.errors ?? [{ field: "", rule: "", message: refusal.message }]).map(validationError),
      );
    case "INTERACTIVE_BLOCKED":
      return new InteractiveNotSupportedError(mapping.name, effects.interactive);
    case "APPROVAL_REJECTED":
      return policy.confirmationHandler === undefined
        ? new RequiresConfirmationError(context)
        : new PolicyViolationError(violations, effects, `\`${mapping.name}\` was not confirmed`);
    case "RULE_DENY":
      if (forbidden.some(({ code }) => code === "TRUST_INSUFFICIENT"))
        return new InsufficientTrustError(trust, policy.minTrustLevel ?? "inferred");
      if (isInteractive(effects) && forbidden.some(({ code }) => code === "INTERACTIVE_BLOCKED"))
        return new InteractiveNotSupportedError(mapping.name, effects.interactive);
      return new PolicyViolationError(forbidden, effects, forbidden.length === 0 ? refusal.message : undefined);
    case "DEFAULT_DENY":
      return new PolicyViolationError(forbidden, effects, refusal.message);
    default:
      return new ExecutionError(refusal.code, refusal.message);
  }
}
