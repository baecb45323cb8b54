/** A place in a text, for people (`line` and `column`, from 1, in characters) and for programs (`offset`, in UTF-16 units). */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const LINE_FEED = 0x0a;

export function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED) {
      line++;
      column = 1;
    } else if (!isSecondHalf(unit)) column++;
  }
  return { line, column, offset };
}

const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
