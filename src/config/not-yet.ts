import type { Mismatch, Path } from "../schema/mismatch.ts";

/** What the design has and this version has not. Refused in so many words: a rule that is read over protects nobody. */
const NOT_YET: ReadonlySet<string> = new Set(["tools.a2a"]);

/** Whether what is refused at this place is only too early. */
export function isNotYet({ path, rule }: Mismatch): boolean {
  const shape = shapeOf(path);
  if (rule === "unknown_field") return NOT_YET.has(shape);
  // Of the file of governors. An empty list of them is what files of other gates have.
  return rule === "max_items" && shape === "output_governors";
}

/** `["rules", 3, "when"]` as `rules[].when`. */
const shapeOf = (path: Path): string =>
  path
    .map((step) => (typeof step === "number" ? "[]" : `.${step}`))
    .join("")
    .slice(1);
