import { Buffer } from "node:buffer";
import type { CallFacts } from "../../domain/call-facts.ts";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { GovernorSays } from "../../domain/feedback.ts";
import type { GovernorSpec, GovernorWay } from "../../domain/governor-spec.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Governor } from "../../ports/governor.ts";
import type { Web, WebAnswer, WebResponse } from "../../ports/web.ts";
import type { RuleSet } from "../../rules/rule-set.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import { closedByRule } from "../operator/closed-by-rule.ts";
import { grantFor, splitHeaders } from "../operator/way-to.ts";
import { errorSays, saysFrom } from "./answer.ts";
import { type GovernorParts, makeGovernor } from "./make-governor.ts";

export interface HttpGovernorParts extends GovernorParts {
  readonly web: Web;
  readonly rules: () => Pick<RuleSet, "operatorGrant">;
  readonly facts: (id: string) => CallFacts;
}

export type HttpSpec = GovernorSpec & { readonly way: Extract<GovernorWay, { kind: "http" }> };

/** A service that is sent the question and answers it: one request to the one host, no redirect. */
export function httpGovernor(spec: HttpSpec, parts: HttpGovernorParts): Governor {
  const { id, timeoutMs } = spec;
  const { url, headers } = spec.way;
  const { plain, secretHeader } = splitHeaders(headers);
  const grant = grantFor(url);
  return makeGovernor(spec, parts, async (question, signal) => {
    const closed = closedByRule(url, parts.rules(), parts.facts(id));
    if (closed !== null) return errorSays(closed.message, closed.hint ?? "correct its `url`");
    const request = {
      url,
      method: "POST",
      headers: { accept: "application/json", ...plain, "content-type": "application/json" },
      secretHeader,
      body: Buffer.from(canonicalJson(question)),
      bytesMax: LIMITS.governorAnswerBytes.maximum,
      redirectsMax: 0,
      timeoutMs,
    };
    return saysOf(await parts.web.fetch(request, grant, signal), timeoutMs);
  });
}

function saysOf(answer: WebAnswer, timeoutMs: number): GovernorSays {
  switch (answer.kind) {
    case "answered":
      return saysOfResponse(answer.response);
    case "failed": {
      const { code, message, hint } = answer.fault;
      if (code === "TIMEOUT")
        return errorSays(`it gave no answer within ${timeoutMs} ms`, "make it faster, or raise its timeout");
      return errorSays(message, hint ?? "see that it runs, and that its `url` is right");
    }
    case "lost":
      return errorSays("it ended the connection without an answer", "see what it says of it");
    case "stopped":
      return errorSays("it was not heard to the end", "the call was stopped");
    default:
      return answer satisfies never;
  }
}

function saysOfResponse({ status, body, isCut }: WebResponse): GovernorSays {
  if (status >= 300 && status < 400)
    return errorSays(`it answered with a redirect (${status}), which is not followed`, "name its final address");
  if (status < 200 || status >= 300)
    return errorSays(`it answered with the status ${status}`, "see what it says of it");
  if (isCut)
    return errorSays(
      `its answer has more than ${LIMITS.governorAnswerBytes.maximum} bytes`,
      "send the answer and nothing else",
    );
  if (body.length === 0) return errorSays("its answer is empty", "send the answer as the body");
  return saysFrom(readJsonBytes(body));
}
