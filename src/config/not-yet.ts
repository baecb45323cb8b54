import type { Mismatch, Path } from "../schema/mismatch.ts";

/** What the design has and this version has not. Refused in so many words: a rule that is read over protects nobody. */
const NOT_YET: ReadonlySet<string> = new Set(["tools.a2a", ...["model"].map((kind) => `rules[].touch.${kind}`)]);

const BUILTIN_NOT_YET: ReadonlySet<unknown> = new Set(["inference"]);

/** Whether what is refused at this place is only too early. */
export function isNotYet({ path, rule }: Mismatch, given: unknown): boolean {
  const shape = shapeOf(path);
  if (rule === "unknown_field") return NOT_YET.has(shape);
  // Of the file of governors. An empty list of them is what files of other gates have.
  if (rule === "max_items") return shape === "output_governors";
  return rule === "enum" && shape === "tools.builtin[]" && BUILTIN_NOT_YET.has(given);
}

/** `["rules", 3, "when"]` as `rules[].when`. */
const shapeOf = (path: Path): string =>
  path
    .map((step) => (typeof step === "number" ? "[]" : `.${step}`))
    .join("")
    .slice(1);
