/** A `.`, `..` or empty component, or a NUL. */
const DETOUR = /\/(?:\.{0,2}(?:\/|$))|\0/;

/** What `FileTouch` promises, as far as the text alone can tell. */
export const isCanonical = (path: string): boolean => path === "/" || (path.startsWith("/") && !DETOUR.test(path));
