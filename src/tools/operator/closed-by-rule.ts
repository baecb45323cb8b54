import type { CallFacts } from "../../domain/call-facts.ts";
import { webUrlFrom } from "../../domain/web-target.ts";
import { compileConnectPattern } from "../../rules/connect-pattern.ts";
import type { RuleSet } from "../../rules/rule-set.ts";
import { type OperatorFault, operatorFault } from "./operator-fault.ts";

/** The operator has named the host of an address; a rule that denies it, or would ask about it, is the stricter word. */
export function closedByRule(
  url: string,
  rules: Pick<RuleSet, "operatorGrant">,
  facts: CallFacts,
): OperatorFault | null {
  const parsed = webUrlFrom(url);
  if (!parsed.ok) return operatorFault("CONNECT_FAILED", `its address can't be asked for: ${parsed.because}`);
  const { host, port } = parsed.value;
  const subject = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { grant, spoken } = rules.operatorGrant({ read: [], write: [], connect: [subject] }, facts);
  const isClosed = grant.noConnect.some((text) => {
    const pattern = compileConnectPattern(text);
    return "error" in pattern || pattern.matches(`${host}:${port}`);
  });
  return isClosed || spoken.length > 0
    ? operatorFault("CONNECT_FAILED", `a rule keeps \`${subject}\` closed`, "allow it, or take the address out")
    : null;
}
