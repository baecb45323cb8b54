import { Buffer } from "node:buffer";
import type { Finder, Found, Moment } from "./found.ts";
import type { Span } from "./span.ts";

/**
 * Finds shapes in bytes that are no UTF-8: a text of another encoding, or a program with texts in it. Texts in a program stand
 * side by side, parted by control characters: each of them ends a line, so that `password` and the next name are no secret.
 */
export class AmongBytes implements Finder {
  readonly #shapes: Finder;

  constructor(shapes: Finder) {
    this.#shapes = shapes;
  }

  get isIdle(): boolean {
    return this.#shapes.isIdle;
  }

  find(bytes: Uint8Array, moment: Moment): Found {
    return this.#shapes.find(inLines(bytes), moment);
  }

  mayFind(text: string): boolean {
    return this.#shapes.mayFind(text);
  }

  isCutOtherwise(text: string): boolean {
    return this.#shapes.isCutOtherwise(text);
  }

  findCut(bytes: Uint8Array): readonly Span[] {
    return this.#shapes.findCut(bytes);
  }
}

const [TAB, LF, CR, BLANK, DELETE] = [0x09, 0x0a, 0x0d, 0x20, 0x7f];

/** As many bytes, so that places stay what they are. */
function inLines(bytes: Uint8Array): Uint8Array {
  const lines = Buffer.from(bytes);
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at] as number;
    if ((byte < BLANK && byte !== TAB && byte !== CR) || byte === DELETE) lines[at] = LF;
  }
  return lines;
}
