import type { Redirection } from "unbash";
import { isOutputWord } from "./file-writers.ts";
import type { FlowingCommand } from "./flow-uses.ts";
import { programName } from "./program-name.ts";
import { mentions, type Variables } from "./value-flow.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();

/** Programs that make files and folders of the names that they are given, or of names like those. */
const MAKES: ReadonlySet<string> = new Set(
  `touch mkdir mkfifo mknod tee sponge truncate split csplit cp mv ln install rsync scp link rename zip wget git gzip gunzip bzip2
  xz zstd unzip 7z 7za mktemp`.split(/\s+/),
);
/** `curl -O {{url}}` names the file by the address. */
const NAMED_BY_ADDRESS = /^-[a-zA-Z]*[OJ]|^--remote/;
const ARCHIVE = /^-?[a-zA-Z]*f$|^--file/;

/** The values in names of files that a command makes: a pattern that finds those begins with whatever the values do. */
export function namesMadeBy({ words, fed }: FlowingCommand): Values {
  const names = words.map(({ text, isStatic }) => (isStatic ? programName(text) : ""));
  // Behind `sudo`, `xargs` or `find -exec` they make the same.
  const isMaking = names.some((name) => MAKES.has(name));
  const isRemote = names.includes("curl") && words.some(({ text }) => NAMED_BY_ADDRESS.test(text));
  const isTar = names.includes("tar");
  const given = words.reduce<Values>((values, { flow }, at) => {
    const isName = isOutputWord(words, at) || (isTar && ARCHIVE.test(words[at - 1]?.text ?? ""));
    return isMaking || isRemote || isName ? values.union(flow.holds) : values;
  }, NONE);
  return isMaking && names.includes("xargs") ? given.union(fed) : given;
}

/** Those in the names behind `>`, `>>`, `&>` and the like. */
export const namesBehind = (redirects: readonly Redirection[], variables: Variables): Values =>
  redirects.reduce<Values>(
    (values, redirect) =>
      redirect.type === "Redirect" && redirect.target !== undefined && redirect.operator.includes(">")
        ? values.union(mentions(redirect.target, variables))
        : values,
    NONE,
  );
