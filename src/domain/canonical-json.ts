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
