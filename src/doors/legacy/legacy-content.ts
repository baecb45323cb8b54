import type { Content, Outcome } from "../../domain/outcome.ts";
import { isBad, outcomeInWords } from "../../formats/outcome-in-words.ts";

/** The result types of the Zed seed. */
export type LegacyContent =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly mediaType: string; readonly data: string };
    }
  | { readonly type: "diff"; readonly path: string; readonly diff: string };

export interface LegacyResult {
  readonly content: readonly LegacyContent[];
  readonly isError: boolean;
}

/** An outcome as that client shows it. What the gate has to say of it stands behind what the tool gave. */
export function legacyResult(outcome: Outcome): LegacyResult {
  const items = "content" in outcome ? outcome.content : [];
  const words = outcomeInWords(outcome);
  return {
    content: [...items.map(contentFrom), ...(words === null ? [] : [{ type: "text", text: words } as const])],
    isError: isBad(outcome),
  };
}

function contentFrom(item: Content): LegacyContent {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "image":
      return { type: "image", source: { type: "base64", mediaType: item.mediaType, data: item.data } };
    case "diff":
      return { type: "diff", path: item.path, diff: item.diff };
    case "resource":
      return { type: "text", text: item.text ?? `[${item.uri}]` };
    default:
      return item satisfies never;
  }
}
