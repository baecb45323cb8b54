import { more } from "./buttons.ts";
import { el, fill, type PictureType } from "./dom.ts";
import { foreign } from "./shown.ts";

/** What every browser draws, and nothing that is a document of its own: SVG is one. */
const TYPES: ReadonlySet<unknown> = new Set<PictureType>(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const isPicture = (mediaType: unknown): mediaType is PictureType => TYPES.has(mediaType);

/**
 * A picture that a tool has sent. INVARIANT (asked for): what a tool sends is decoded when somebody wants to see it, and not by
 * itself. It comes out of the outcome and is looked for nowhere else.
 */
export function pictureShown(mediaType: unknown, data: unknown): HTMLElement {
  const text = typeof data === "string" ? data : "";
  const bytes = Math.floor((text.replace(/=+$/, "").length * 3) / 4);
  const label = el("p", {}, "a picture of the tool's: ", foreign(String(mediaType)), `, ${bytes} bytes`);
  const place = el("div", { class: "picture" }, label);
  if (!isPicture(mediaType) || !BASE64.test(text)) return place;
  const draw = more("Show the picture", () => {
    const image = el("img", { src: `data:${mediaType};base64,${text}`, alt: "the picture" });
    image.addEventListener("error", () => fill(place, label, el("p", { class: "quiet" }, "It can't be drawn.")));
    fill(place, label, image);
  });
  place.append(draw);
  return place;
}
