import type { Content, Outcome } from "../../domain/outcome.ts";

/** More than this of a message is output. */
const MESSAGE_LENGTH_MAX = 200;

const GONE: Content = {
  type: "text",
  text: "[TRUNCATED: the call was made before, and what it said is no longer kept for who makes it again]",
};

/**
 * The outcome of a call without what it said: how it ended and what it cost stays, so that who makes the call again hears
 * that it was made. As JSON, in less than 1,024 bytes.
 */
export function shortOutcome(json: string): string {
  const whole = JSON.parse(json) as Outcome;
  const { kind, callId, durationMs } = whole;
  const base = { kind, callId, tool: cut(whole.tool), durationMs, budgetConsumed: whole.budgetConsumed ?? 0 };
  if (whole.kind === "completed") {
    const { attempts, cached, containment, exitCode } = whole;
    const told = { attempts, cached, containment, ...(exitCode !== undefined && { exitCode }) };
    return JSON.stringify({ ...base, ...told, content: [GONE], truncated: truncation(whole, json) });
  }
  if (whole.kind === "refused") {
    const { code, stage, message } = whole.refusal;
    return JSON.stringify({ ...base, refusal: { code, stage, message: cut(message) } });
  }
  if (whole.kind === "pending") return JSON.stringify({ ...base, approval: { ...whole.approval, reasons: [] } });
  const { code, message, retryable, exitCode } = whole.error;
  const error = { code, message: cut(message), retryable, ...(exitCode !== undefined && { exitCode }) };
  return JSON.stringify(
    whole.kind === "failed"
      ? { ...base, error, content: [GONE], truncated: truncation(whole, json) }
      : { ...base, error },
  );
}

/** What was cut before has its blob still. */
const truncation = ({ truncated }: Extract<Outcome, { kind: "completed" | "failed" }>, json: string) =>
  truncated ?? { bytes: json.length, blob: null };

/** In JSON a character may be six bytes, so what is not plain is left out as well. */
const cut = (text: string): string =>
  JSON.stringify(text).length <= MESSAGE_LENGTH_MAX
    ? text
    : text.replace(/[^ -~]|["\\]/gu, "?").slice(0, MESSAGE_LENGTH_MAX);
