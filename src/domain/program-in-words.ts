import { grantInWords } from "./grant-in-words.ts";
import type { ShownPlan } from "./question.ts";
import { quoted } from "./visible.ts";

/** What whoever is asked about a program has to know beside its words: what it may do by itself, and which secrets it is given. */
export function programInWords({ plan, grant }: Pick<ShownPlan, "plan" | "grant">): readonly string[] {
  const secrets = plan.sandbox?.secrets ?? [];
  return [
    ...(grant === undefined ? [] : [grantInWords(grant)]),
    ...(secrets.length === 0 ? [] : [`it is given the value of ${secrets.map((name) => quoted(name)).join(", ")}`]),
  ];
}
