// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the message speaks of bash

import type { Word as SyntaxWord } from "unbash";
import type { CodeUse } from "./flow-uses.ts";
import { mentions, type Variables } from "./value-flow.ts";
import type { WhereValuesAre } from "./where-values-are.ts";

/** `${a/b/$v}`: since bash 5.2, a `&` in what stands there without quotes of its own is what was found. */
export function replacementUse(
  { parts }: SyntaxWord,
  variables: Variables,
  { odd }: Pick<WhereValuesAre, "odd">,
): CodeUse | null {
  const bare = parts?.filter(({ type }) => /^(?:Simple|Parameter|Command)Expansion$/.test(type)) ?? [];
  const index = odd(new Set(bare.flatMap((part) => [...mentions(part, variables)])));
  if (index === undefined) return null;
  return {
    index,
    why: "bash puts what it has found in the place of a `&` in it",
    fix: 'put it into quotes of its own: `"${text//NAME/"$value"}"`',
  };
}
