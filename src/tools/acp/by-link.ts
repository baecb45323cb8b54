import type { ApprovedCall } from "../../domain/call.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { AgentLink, AgentLinks } from "./agent-links.ts";

/** Runs a call over the link of its session. */
export async function byLink(
  links: AgentLinks,
  { session }: Pick<ApprovedCall, "session">,
  run: (link: AgentLink) => Promise<RunResult>,
): Promise<RunResult> {
  const link = links.of(session.id);
  return link === null ? GONE : await run(link);
}

const GONE: RunResult = {
  kind: "failed",
  error: { code: "EXECUTOR_UNAVAILABLE", message: "the agent of this session is not connected", retryable: false },
  content: [],
};
