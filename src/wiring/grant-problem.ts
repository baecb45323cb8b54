import { operatorGrantFrom } from "../config/operator-grant.ts";
import type { UpstreamSpec } from "../domain/upstream.ts";

/** What is wrong with a grant that somebody wrote; null = nothing. */
export function grantProblem(
  grant: UpstreamSpec["grant"],
  workspace: string,
): { readonly message: string; readonly hint?: string | undefined } | null {
  const problems: { readonly message: string; readonly hint?: string | undefined }[] = [];
  operatorGrantFrom(grant, workspace, (_path, message, hint) => void problems.push({ message, hint }));
  return problems[0] ?? null;
}
