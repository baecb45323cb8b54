import type { Listed } from "./listed.ts";
import { digestOfTool } from "./pinned.ts";

/**
 * A list without what stands in it twice and says two things: nobody knows which of them is meant by the name, and it is not the order
 * of a list that decides what a person is shown.
 */
export function withoutDoubles({ listed, malformed }: Listed): Listed {
  const digests = new Map<string, Set<string>>();
  for (const one of listed) {
    const known = digests.get(one.name) ?? new Set();
    digests.set(one.name, known.add(digestOfTool(one)));
  }
  const doubles = [...digests].flatMap(([name, { size }]) => (size > 1 ? [name] : []));
  if (doubles.length === 0) return { listed, malformed };
  const isDouble = new Set(doubles);
  return {
    listed: listed.filter(({ name }) => !isDouble.has(name)),
    malformed: [
      ...malformed,
      ...doubles.map((name) => ({ name, because: "it is listed twice, with two definitions" })),
    ],
  };
}
