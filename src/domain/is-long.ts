/** What takes a millisecond or so to be written out and hashed. */
const CHARS_MAX = 64 * 1024;
const VALUES_MAX = 1000;

/** Whether a value is so long that others should have their turn while it is worked on. Of most it takes no time to say. */
export function isLong(value: unknown): boolean {
  const rest: unknown[] = [value];
  let chars = 0;
  for (let seen = 0; rest.length > 0; seen++) {
    const next = rest.pop();
    if (typeof next === "string") chars += next.length;
    else if (typeof next === "object" && next !== null) for (const member of Object.values(next)) rest.push(member);
    if (chars > CHARS_MAX || seen + rest.length > VALUES_MAX) return true;
  }
  return false;
}
