import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Completed, Content, Failed } from "../../domain/outcome.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { ExecutionResult } from "./types.ts";

/** What the API knows of a call beside its outcome. */
export interface About extends Pick<ExecutionResult, "command" | "toolCallId" | "toolName" | "limits"> {}

/** A program that was started has a result, however it ended. */
export async function executionResult(outcome: Completed | Failed, about: About, gate: Gate): Promise<ExecutionResult> {
  const [stdout = "", stderr = ""] = await textsOf(outcome, gate);
  const { receipt } = outcome;
  const exitCode = outcome.kind === "completed" ? (outcome.exitCode ?? 0) : (outcome.error.exitCode ?? null);
  return {
    success: outcome.kind === "completed",
    exitCode,
    stdout,
    stderr,
    duration: outcome.durationMs,
    truncated: isCut(outcome),
    timedOut: outcome.kind === "failed" && outcome.error.code === "TIMEOUT",
    ...about,
    ...(receipt && { receipt }),
  };
}

function isCut(outcome: Completed | Failed): boolean {
  const facts = outcome.kind === "completed" ? outcome.structured : outcome.error.detail;
  if (!isJsonObject(facts)) return false;
  return [facts["stdout"], facts["stderr"]].some((stream) => isJsonObject(stream) && stream["cut"] === true);
}

const textOf = (item: Content | undefined): string => (item?.type === "text" ? item.text : "");

/** The gate hands out a megabyte and keeps the rest as a blob: here all of it is wanted that was kept. */
async function textsOf({ content, truncated }: Completed | Failed, gate: Gate): Promise<readonly string[]> {
  const shown = content.slice(0, 2).map(textOf);
  if (truncated?.blob == null) return shown;
  const { blob } = truncated;
  const whole = await blobText(blob, gate);
  if (whole === null) return shown;
  const result = resultIn(whole);
  if (result !== null) return result.map(textOf);
  return shown.map((text) => (text.includes(blob) ? whole : text));
}

/** The blob is the one long text, or the whole result as JSON. */
function resultIn(whole: string): readonly Content[] | null {
  if (!whole.startsWith('{"content":[')) return null;
  try {
    return (JSON.parse(whole) as JsonObject & { content: readonly Content[] }).content;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

async function blobText(hash: string, gate: Gate): Promise<string | null> {
  const found = await gate.blobs.get(hash);
  if (!found.ok) return null;
  const chunks = await Array.fromAsync(found.value.chunks());
  return Buffer.concat(chunks).toString();
}
