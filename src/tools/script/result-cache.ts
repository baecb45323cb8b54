import type { ApprovedCall } from "../../domain/call.ts";
import { digestOf, digestOfText } from "../../domain/digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { CachePolicy } from "../../domain/script-tool.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { Notes } from "../../ports/notes.ts";
import { renderedParts } from "./plain-text.ts";

export type CachedResult = Omit<Extract<RunResult, { kind: "completed" }>, "cached">;

/** A larger result is cheaper to make anew than to keep. */
const CHARS_MAX = 1024 * 1024;

export interface CacheParts {
  readonly id: string;
  readonly policy: CachePolicy;
  readonly notes: Notes;
  readonly nowMs: () => number;
}

/** Results of earlier calls. Asked only for a call that was judged and approved like any other. */
export class ResultCache {
  readonly #parts: CacheParts;
  readonly #folder: string;
  #count: number | null = null;

  constructor(parts: CacheParts) {
    this.#parts = parts;
    this.#folder = `results/${digestOfText(parts.id)}`;
  }

  /**
   * INVARIANT (same rights): a result is found only by a call of the same tool as it was, under the same rules, grant and
   * lease, in the same project and workspace. What it holds was redacted before it was kept.
   */
  keyOf({ tool, plan, seal, session, project, input, actor }: ApprovedCall): string {
    const { keyTemplate } = this.#parts.policy;
    const { tools, read, write } = session.lease;
    const key = digestOf({
      actor,
      definition: tool.definitionDigest,
      grant: seal.grant as unknown as JsonObject,
      host: plan.host,
      lease: { read, tools, write },
      project,
      rules: seal.rulesHash,
      // Who asks is in the environment of the script; sessions without a token are all of one person.
      session: session.isOpened === true ? session.id : null,
      what: keyTemplate === null ? input : renderedParts(keyTemplate, input),
      workspace: plan.workspace,
    });
    return `${this.#folder}/${key}`;
  }

  find(key: string): CachedResult | null {
    const text = this.#parts.notes.read(key);
    if (text === null) return null;
    const kept = parsed(text);
    if (kept === null || kept.untilMs <= this.#parts.nowMs()) {
      this.#parts.notes.remove(key);
      return null;
    }
    return kept.result;
  }

  keep(key: string, result: CachedResult): void {
    const { notes, nowMs, policy } = this.#parts;
    const text = JSON.stringify({ untilMs: nowMs() + policy.ttlMs, result });
    if (text.length > CHARS_MAX) return;
    this.#makeRoom();
    notes.write(key, text);
  }

  /** Counted once, and anew when there seem to be enough: other gates keep results here as well. */
  #makeRoom(): void {
    const { notes, policy } = this.#parts;
    this.#count = (this.#count ?? notes.list(this.#folder).length) + 1;
    if (this.#count <= policy.maxEntries) return;
    const all = notes.list(this.#folder);
    for (const name of all.slice(0, Math.max(0, all.length - policy.maxEntries + 1))) notes.remove(name);
    this.#count = Math.min(all.length + 1, policy.maxEntries);
  }
}

function parsed(text: string): { readonly untilMs: number; readonly result: CachedResult } | null {
  try {
    const { untilMs, result } = JSON.parse(text);
    return typeof untilMs === "number" && result?.kind === "completed" && Array.isArray(result.content)
      ? { untilMs, result }
      : null;
  } catch {
    return null;
  }
}
