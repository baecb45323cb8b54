import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";

/** A tool's name as it may be shown. What is none may be anything, also a secret; and not every caller is TypeScript. */
export function shownToolName(given: unknown, ports: Pick<PipelinePorts, "catalog" | "faults" | "redactor">): string {
  if (typeof given !== "string") return "";
  return isTool(given, ports) ? given : ports.redactor.text(given);
}

export function isTool(name: string, { catalog, faults }: Pick<PipelinePorts, "catalog" | "faults">): boolean {
  try {
    return catalog.find(name) !== undefined;
  } catch (cause) {
    faults.report(cause, { stage: "resolve" });
    return false; // the first stage meets the same fault, and makes an outcome of it
  }
}
