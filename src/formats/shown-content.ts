import type { Content, Outcome } from "../domain/outcome.ts";
import { outcomeInWords } from "./outcome-in-words.ts";

/** What a provider's results can hold. */
export type Shown =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mediaType: ImageType; readonly data: string };

/** What Anthropic, OpenAI, Gemini and Bedrock all look at. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** An outcome in the order in which a model should read it: what the tool gave, then what became of the call. */
export function shownOutcome(outcome: Outcome, images: "shown" | "described"): readonly [Shown, ...Shown[]] {
  const content = outcome.kind === "completed" || outcome.kind === "failed" ? outcome.content : [];
  const words = outcomeInWords(outcome);
  const [first, ...rest] = [
    ...content.map((item) => shown(item, images)).filter((item) => item.kind !== "text" || item.text !== ""),
    ...(words === null ? [] : [text(words)]),
  ];
  // Anthropic and Bedrock refuse an empty text.
  return first === undefined ? [text(nothing(outcome))] : [first, ...rest];
}

/** The same as one text. */
export const outcomeAsText = (outcome: Outcome): string =>
  shownOutcome(outcome, "described")
    .map((item) => (item.kind === "text" ? item.text : ""))
    .join("\n");

const text = (words: string): Shown => ({ kind: "text", text: words });

const nothing = (outcome: Outcome): string =>
  outcome.kind === "completed" && outcome.structured !== undefined ? JSON.stringify(outcome.structured) : "(no output)";

function shown(item: Content, images: "shown" | "described"): Shown {
  switch (item.type) {
    case "text":
      return text(item.text);
    case "diff":
      return text(item.diff);
    case "image":
      return imageOr(item.mediaType, item.data, images, "image");
    case "resource": {
      const { uri, mediaType = "application/octet-stream", blob } = item;
      if (item.text !== undefined) return text(`[${uri}]\n${item.text}`);
      return blob === undefined ? text(`[${uri}]`) : imageOr(mediaType, blob, images, `resource ${uri}`);
    }
    default:
      return item satisfies never;
  }
}

function imageOr(mediaType: string, data: string, images: "shown" | "described", what: string): Shown {
  if (images === "shown" && isImageType(mediaType)) return { kind: "image", mediaType, data };
  return text(`[${what}, ${mediaType}, ${bytesIn(data)} bytes, can't be shown here]`);
}

const isImageType = (mediaType: string): mediaType is ImageType =>
  (IMAGE_TYPES as readonly string[]).includes(mediaType);

/** Of base64. */
function bytesIn(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}
