import { more } from "./buttons.ts";
import { el, saveFile } from "./dom.ts";

/**
 * INVARIANT (shown before approved, law 7): a yes counts only once the reader has scrolled to the end of what decides, and
 * has saved what is too long to be drawn.
 */
export class Reading {
  readonly #scroller: HTMLElement;
  readonly #end: HTMLElement;
  readonly #changed: () => void;
  readonly #sizes: ResizeObserver;
  #isAtEnd = false;
  #isSaved = true;

  /** `end` stands in `scroller` below everything that has to be read. */
  constructor(scroller: HTMLElement, end: HTMLElement, changed: () => void) {
    this.#scroller = scroller;
    this.#end = end;
    this.#changed = changed;
    scroller.addEventListener("scroll", () => this.#look(), { passive: true });
    this.#sizes = new ResizeObserver(() => this.#look());
    this.#sizes.observe(scroller);
    this.#sizes.observe(end);
  }

  get isDone(): boolean {
    return this.#isAtEnd && this.#isSaved;
  }

  /** What is left to do, for the reader. Null: nothing. */
  get left(): string | null {
    if (!this.#isSaved) return "Not all of it is shown here: download it and read it, then it can be approved.";
    return this.#isAtEnd ? null : "There is more below: scroll to the end, then it can be approved.";
  }

  /** Not all of it can be drawn: the whole text has to be saved as a file first. The button that does it. */
  mustSave(label: string, name: string, text: () => string): HTMLElement {
    this.#isSaved = false;
    return more(label, () => {
      saveFile(name, new TextEncoder().encode(text()).buffer);
      this.#isSaved = true;
      this.#changed();
    });
  }

  close(): void {
    this.#sizes.disconnect();
  }

  /** Something that was not laid out has no height, and was seen by nobody. */
  #look(): void {
    if (this.#isAtEnd || !this.#end.isConnected) return;
    const { bottom, height } = this.#scroller.getBoundingClientRect();
    if (height === 0 || this.#end.getBoundingClientRect().top > bottom + 1) return;
    this.#isAtEnd = true;
    this.#changed();
  }
}

/** Stands below what has to be read. */
export const endMark = (): HTMLElement => el("div", { class: "end-mark" });
