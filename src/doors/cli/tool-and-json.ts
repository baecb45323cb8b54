import { CommandLineError, type Invocation } from "./command.ts";

/** The words of a command about one call. */
export function toolAndJson({ words }: Invocation): readonly [string, string | undefined] {
  const [tool, json, ...rest] = words;
  if (tool === undefined) throw new CommandLineError("no tool is named", "`toolgate tools` lists them");
  if (rest.length > 0)
    throw new CommandLineError(`\`${rest[0]}\` is one word too many`, "put the JSON in single quotes");
  return [tool, json];
}
