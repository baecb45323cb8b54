import { type Invocation, UsageError } from "./command.ts";

/** The words of a command about one call. */
export function toolAndJson({ words }: Invocation): readonly [string, string | undefined] {
  const [tool, json, ...rest] = words;
  if (tool === undefined) throw new UsageError("which tool", "`toolgate tools` lists them");
  if (rest.length > 0) throw new UsageError(`\`${rest[0]}\` is one word too many`, "put the JSON in single quotes");
  return [tool, json];
}
