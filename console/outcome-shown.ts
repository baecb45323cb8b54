import type { Outcome } from "../src/client/answers.ts";
import { type Child, el } from "./dom.ts";
import { type DownloadParts, download } from "./download.ts";
import { placeAt } from "./page.ts";
import { pictureShown } from "./picture.ts";
import { diffBlock, facts, foreign, foreignBlock, sentence, valueBlock } from "./shown.ts";

type Item = Readonly<Record<string, unknown>> & { readonly type: string };

/** What came of a call. What tools print is shown as text, whatever they say that it is. */
export function outcomeShown(outcome: Outcome, parts: DownloadParts): readonly Child[] {
  const {
    kind,
    exitCode,
    durationMs,
    refusal,
    error,
    content = [],
    structured,
    truncated,
    receipt,
    containment,
  } = outcome;
  return [
    facts([
      ["ended", kind],
      ["code", refusal || error ? foreign(refusal?.code ?? error?.code ?? "") : null],
      ["because", refusal || error ? el("span", {}, ...sentence(refusal?.message ?? error?.message ?? "")) : null],
      ["hint", refusal?.hint === undefined ? null : el("span", {}, ...sentence(refusal.hint))],
      ["exit code", exitCode === undefined ? null : String(exitCode)],
      ["took", `${Math.round(durationMs)} ms`],
      ["ran in", containment === undefined ? null : foreign(containment)],
      ["cached", outcome.cached ? "yes" : null],
      ["attempts", outcome.attempts !== undefined && outcome.attempts > 1 ? String(outcome.attempts) : null],
      ["receipt", receipt && el("a", { href: placeAt("ledger", String(receipt.seq)) }, `entry ${receipt.seq}`)],
      ["cut", truncated && foreign(JSON.stringify(truncated))],
    ]),
    ...(isKept(truncated)
      ? [download({ hash: truncated.blob, bytes: truncated.bytes, seq: receipt?.seq }, parts)]
      : []),
    ...content.map((item) => itemShown(item as Item)),
    ...(structured === undefined ? [] : [el("h4", {}, "structured"), valueBlock(structured)]),
  ];
}

const isKept = (truncated: unknown): truncated is { readonly blob: string; readonly bytes: number } =>
  typeof truncated === "object" && truncated !== null && "blob" in truncated && typeof truncated.blob === "string";

function itemShown(item: Item): HTMLElement {
  const { type, text, diff, mediaType, data } = item;
  if (type === "text" && typeof text === "string") return foreignBlock(text);
  if (type === "diff" && typeof diff === "string") return diffBlock(diff);
  if (type === "image") return pictureShown(mediaType, data);
  return valueBlock(item);
}
