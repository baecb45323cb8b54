import type { Environment } from "../config/environment.ts";
import { readSettings } from "../config/settings-file.ts";
import type { GitIdentity } from "../domain/git-identity.ts";
import { configEntries } from "../tools/builtin/git/config-entries.ts";

/** More is no name, and a line end in one would be a setting of its own. */
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;

/**
 * The operator's own, from where git has it for all repositories (git-config(1), FILES; the last one wins). Programs don't see
 * those files, which may name others to run; without a name, `git commit` fails. Null: git knows none, or not all of it.
 */
export function gitIdentity({ home }: Pick<Environment, "home">): GitIdentity | null {
  if (home === null) return null;
  const entries = [`${home}/.config/git/config`, `${home}/.gitconfig`].flatMap(entriesOf);
  const last = (key: string): string => entries.findLast((entry) => entry.key === key)?.value ?? "";
  const identity = { name: last("name"), email: last("email") };
  return NAME.test(identity.name) && NAME.test(identity.email) ? identity : null;
}

function entriesOf(path: string): readonly { readonly key: string | null; readonly value: string | null }[] {
  const read = readSettings(path, "private");
  const entries = read.ok ? configEntries(read.text) : null;
  return (entries ?? []).filter(({ section, name }) => section === "user" && name === "");
}
