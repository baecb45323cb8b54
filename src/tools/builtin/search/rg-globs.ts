import { ANY_DEPTH, type PathComponent } from "../../../rules/path-component.ts";
import { compilePathPattern, type PathPattern } from "../../../rules/path-pattern.ts";
import { ANY_ONE, ANY_RUN } from "../../../rules/wildcard.ts";

/**
 * Globs as ripgrep takes them (those of `.gitignore` files, and alternatives in braces), all of them from `/` on. That
 * is also its working directory, so each says exactly which paths it means, and none begins with `!` or `#`.
 */

const EVERYTHING = "/**";

/** What ripgrep has to pass over so that it never opens what the rules hide. */
export const hidingGlobs = (hide: readonly string[], workspace: string): readonly string[] =>
  hide.map((text) => {
    const pattern = compilePathPattern(text, workspace);
    return "error" in pattern ? EVERYTHING : globFromPattern(pattern);
  });

/** A folder that is passed over goes with all it holds, so a `**` at the end adds nothing. */
function globFromPattern({ components }: PathPattern): string {
  const named = components.at(-1) === ANY_DEPTH ? components.slice(0, -1) : components;
  return named.length === 0
    ? EVERYTHING
    : untrimmed(named.map((component) => `/${globFromComponent(component)}`).join(""));
}

function globFromComponent(component: PathComponent): string {
  if (component === ANY_DEPTH) return "**";
  if ("literal" in component) return literalGlob(component.literal);
  return component.wildcard
    .map((token) => {
      if (token === ANY_RUN) return "*";
      return token === ANY_ONE ? ONE_CHARACTER : literalGlob(String.fromCodePoint(token));
    })
    .join("");
}

/**
 * ripgrep's `?` is one byte, ours one character. So: a byte, or two to four that are not ASCII. Two characters of two
 * bytes each pass for one of four; what is hidden then is more than the rule says, and never less.
 */
const BEYOND_ASCII = "[!\u0001-\u007f]";
const ONE_CHARACTER = `{?,${[2, 3, 4].map((bytes) => BEYOND_ASCII.repeat(bytes)).join()}}`;

const literalGlob = (text: string): string => text.replaceAll(/[*?[\]{}\\!#,]/g, "\\$&");

/** Spaces at the end are cut off a glob. Nothing, in braces, keeps them from being the end. */
const untrimmed = (glob: string): string => (/[\s\u0080-\uffff]$/.test(glob) ? `${glob}{,}` : glob);

/** A user's glob about what lies below `root`: with a slash a path from there, without one a name at any depth. */
export function globBelow(root: string, pattern: string): string {
  const isFolder = pattern.endsWith("/");
  const body = pattern.replace(/^\.?\//, "");
  const isTied = body !== pattern || body.slice(0, -1).includes("/");
  return untrimmed(`${literalGlob(root)}/${isTied ? "" : "**/"}${body}${isFolder ? "**" : ""}`);
}

/**
 * Whether the rules hide a `.gitignore` and not the folder that it speaks about. ripgrep can't be told to read some of
 * these files and not others, and what a file leaves out tells what stands in it: then none of them is read.
 */
export const hidesIgnoreFiles = (hide: readonly string[], workspace: string): boolean =>
  hide.some((text) => {
    const pattern = compilePathPattern(text, workspace);
    const last = "error" in pattern ? ANY_DEPTH : pattern.components.at(-1);
    if (last === undefined || last === ANY_DEPTH) return false;
    const name = compilePathPattern(`/${text.slice(text.lastIndexOf("/") + 1)}`, workspace);
    const isEveryName = "wildcard" in last && last.wildcard.every((token) => token === ANY_RUN);
    return !isEveryName && !("error" in name) && name.matches("/.gitignore");
  });
