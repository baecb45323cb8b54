/**
 * Canonical JSON, RFC 8785: one text per value, so that equal values have equal digests.
 * Written here and not taken from a package because it runs several times in every call;
 * `test/domain/canonical-json.test.ts` holds it against the vectors of the RFC.
 */
export function canonicalJson(value: unknown): string {
  // The engine's own writer is several times faster than ours, and right wherever the members stand in order already.
  const text = isInOrder(value) ? JSON.stringify(value) : textOf(value);
  // It writes a lone surrogate as an escape, and nothing else so, but for a text that holds such an escape itself.
  if (text.includes("\\ud")) mustBeWellFormed(value);
  return text;
}

/** Whether all members stand in canonical order. Throws for what JSON can't hold. */
function isInOrder(value: unknown): boolean {
  switch (typeof value) {
    case "number":
      if (!Number.isFinite(value)) throw new TypeError("a number that JSON can't hold");
      return true;
    case "string":
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      return Array.isArray(value) ? areInOrder(value) : hasMembersInOrder(value as Record<string, unknown>);
    default:
      throw new TypeError(`a ${typeof value} has no JSON form`);
  }
}

function areInOrder(items: readonly unknown[]): boolean {
  let inOrder = true;
  for (const item of items) if (!isInOrder(item)) inOrder = false; // to the end: the rest is checked here as well
  return inOrder;
}

/** By UTF-16 code units, which is what RFC 8785 section 3.2.3 asks for and what `<` compares. */
function hasMembersInOrder(members: Record<string, unknown>): boolean {
  let inOrder = true;
  let before = "";
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (member === undefined) continue; // absent, as in `JSON.stringify`
    if (key < before) inOrder = false;
    before = key;
    if (!isInOrder(member)) inOrder = false;
  }
  return inOrder;
}

/** For values that `isInOrder` has passed or found out of order. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  // Put together by `+`, which copies nothing: `join` would copy a long text once for each level that it stands below.
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${textOf(item)}`;
    return `[${text}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, member] of members) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${textOf(member)}`;
  return `{${text}}`;
}

/** A lone surrogate has no UTF-8 form: two different values would get one digest (RFC 8785 section 3.2.2.2). */
function mustBeWellFormed(value: unknown): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError("a text with a lone surrogate has no canonical form");
  } else if (Array.isArray(value)) {
    for (const item of value) mustBeWellFormed(item);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      if (!key.isWellFormed()) throw new TypeError("a name with a lone surrogate has no canonical form");
      mustBeWellFormed(member);
    }
  }
}

/** Short enough that its JSON, six times as long at most, stays small. */
const PIECE_LENGTH = 32 * 1024;

/**
 * The same text in pieces, for a value with long strings. The JSON of 50 MB of control characters has 300 MB, because each becomes
 * an escape of six characters: nobody should hold that as one string.
 */
export function* canonicalPieces(value: unknown): Generator<string, void, void> {
  isInOrder(value); // throws if JSON can't hold the value
  mustBeWellFormed(value);
  yield* piecesOf(value);
}

function* piecesOf(value: unknown): Generator<string, void, void> {
  if (typeof value === "string") {
    yield* piecesOfText(value);
  } else if (typeof value !== "object" || value === null) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* piecesOf(item);
    }
    yield value.length === 0 ? "[]" : "]";
  } else {
    yield* piecesOfMembers(value as Record<string, unknown>);
  }
}

function* piecesOfMembers(object: Record<string, unknown>): Generator<string, void, void> {
  const members = Object.entries(object).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [key, member]] of members.entries()) {
    yield `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    yield* piecesOf(member);
  }
  yield members.length === 0 ? "{}" : "}";
}

/** Cut between characters: each half of a surrogate pair would become an escape. */
function* piecesOfText(text: string): Generator<string, void, void> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    const border = isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end;
    yield JSON.stringify(text.slice(start, border)).slice(1, -1);
    start = border;
  }
  yield '"';
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
