import { visibleLine, visibleText } from "../src/domain/visible.ts";

/** What the console is made of. Nothing in it loads or runs anything, and a picture is one that is here already. */
type Tag =
  | ("a" | "article" | "b" | "button" | "code" | "datalist" | "dd" | "details" | "div" | "dl" | "dt" | "form" | "h1")
  | (
      | "h2"
      | "h3"
      | "h4"
      | "header"
      | "input"
      | "label"
      | "li"
      | "main"
      | "nav"
      | "ol"
      | "option"
      | "output"
      | "p"
      | "pre"
    )
  | ("section" | "select" | "small" | "span" | "summary" | "table" | "tbody" | "td" | "textarea" | "th" | "thead")
  | ("time" | "tr" | "ul" | "kbd" | "img");

export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export type Child = Node | string | number | null | false | undefined;

interface Attributes {
  readonly class?: string;
  readonly id?: string;
  /** INVARIANT (no way out): a link leads to another page of the console, never to where a text says. */
  readonly href?: `#/${string}`;
  /** INVARIANT (no way out): a picture is its own address, never one that a text says. */
  readonly src?: `data:${PictureType};base64,${string}`;
  readonly alt?: string;
  readonly type?: "button" | "submit" | "text" | "password";
  readonly name?: string;
  readonly value?: string;
  readonly for?: string;
  readonly list?: string;
  readonly placeholder?: string;
  readonly autocomplete?: "off";
  readonly spellcheck?: "false";
  readonly maxlength?: string;
  readonly rows?: string;
  readonly role?: "status" | "alert";
  readonly tabindex?: "-1" | "0";
  readonly title?: string;
  readonly datetime?: string;
  readonly "aria-label"?: string;
  readonly "aria-current"?: "true" | "page";
  readonly "aria-live"?: "polite";
  readonly "aria-disabled"?: "true" | "false";
  readonly "aria-keyshortcuts"?: string;
  readonly "data-risk"?: string;
  readonly "data-state"?: string;
  readonly "data-line"?: "added" | "removed" | "place" | "same";
  readonly on?: { readonly [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };
}

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * INVARIANT (text only): the one place where elements are made. What is said by anybody else is a text node or the value of
 * an attribute of the list above, and what would act or hide in it is made visible, as the terminal does.
 */
export function el<Name extends Tag>(
  tag: Name,
  { on = {}, ...attributes }: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "href" && !value.startsWith("#/")) throw new TypeError("a link leads to another page of the console");
    if (name === "src" && !PICTURE.test(value)) throw new TypeError("a picture is in its own address");
    element.setAttribute(name, name === "value" ? value : visibleLine(value));
  }
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener as EventListener);
  fill(element, ...children);
  return element;
}

/** In place of all that was in it. Who was at a link by the keyboard stays at it, if it is there again. */
export function fill(element: Element, ...children: readonly Child[]): void {
  const { activeElement } = document;
  const at = element.contains(activeElement) ? activeElement?.getAttribute("href") : null;
  element.replaceChildren(...children.flatMap((child) => (isShown(child) ? [nodeOf(child)] : [])));
  if (at === null || at === undefined) return;
  const same = [...element.querySelectorAll("a")].find((link) => link.getAttribute("href") === at);
  same?.focus({ preventScroll: true });
}

const isShown = (child: Child): child is Node | string | number =>
  child !== null && child !== false && child !== undefined && child !== "";

const nodeOf = (child: Node | string | number): Node =>
  child instanceof Node ? child : document.createTextNode(visibleText(String(child)));

/** Gives somebody bytes as a file of theirs. Under this type a browser shows them to nobody, whatever they are. */
export function saveFile(name: string, bytes: ArrayBuffer): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = visibleLine(name);
  link.click();
  URL.revokeObjectURL(link.href);
}
