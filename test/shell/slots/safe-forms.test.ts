// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { expect, it } from "vitest";
import { bindSlots } from "../../../src/shell/bind-slots.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { unrollTemplate } from "../../../src/shell/unroll-template.ts";
import { needs } from "../../support/parts.ts";
import { PARAMETERS } from "./problem-of.ts";
import { VALUES } from "./slot-values.ts";
import { boundOutputs } from "./slots-in-bash.ts";

/** What is let in beside what is refused, by programs that have a language or start others. */
const FORMS: readonly string[] = [
  'X={{x}} awk \'BEGIN { printf "%s", ENVIRON["X"] }\'',
  "export X={{x}}; sh -c 'printf %s \"$X\"'",
  "sh -c 'printf %s \"$1\"' _ {{x}}",
  "bash -s -- {{x}} <<'EOF'\nprintf %s \"$1\"\nEOF",
  "printf '%s\\0' {{x}} | xargs -0 -n 1 sh -c 'printf %s \"$1\"' _",
  't=$(mktemp); printf %s {{x}} > "$t"; cat "$t"',
  "printf %s {{x}} > o.txt; find . -name o.txt -exec cat {} ';'",
  "cat > p.sh <<'EOF'\nprintf %s \"$1\"\nEOF\nbash p.sh {{x}}",
  "env -C / bash -c 'printf %s \"$1\"' _ {{x}}",
  "printf %s {{x}} | tar cf o.tar --files-from=/dev/null; printf %s {{x}}",
];
const SOME = VALUES.filter((_, index) => index < 36 || index % 1000 === 0);

needs(
  "bwrap",
  "bash",
  "timeout",
  "awk",
  "xargs",
  "find",
  "tar",
)("values that get to programs, in real bash", () => {
  it.each(FORMS)("arrive byte for byte and run nothing: %s", (template) => {
    const checked = checkTemplate(template, PARAMETERS);
    if (!checked.ok) throw new Error(checked.problems[0]?.message);
    const bound = bindSlots(unrollTemplate(checked.template.nodes, { x: "" }));
    if (!bound.ok) throw new Error(bound.why);
    const { printed, canary } = boundOutputs(bound.script.text, SOME);
    expect(canary).toBe(false);
    expect(SOME.filter((value, index) => printed[index]?.equals(Buffer.from(value)) !== true)).toEqual([]);
  });
});
