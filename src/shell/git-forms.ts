import { type FormWord, type FoundForm, form } from "./form-of.ts";

type Words = readonly FormWord[];

/** They take names of files, and nothing else, also before `--`. */
const NAMES_ONLY = /^(?:add|rm|clean|restore)$/;
/** They delete or overwrite what they find. */
const CHANGES = /^(?:rm|clean|checkout|restore|reset|stash)$/;
/** Options of those with a value that is no file's name. */
const WITH_VALUE = /^(?:-[se]|--source|--exclude|--chmod)$/;
const LITERAL = "give the name of one file; the tool's author can write `git --literal-pathspecs`";

export function gitForms(rest: Words): readonly FoundForm[] {
  const verb = rest.findIndex(({ text }, at) => !text.startsWith("-") && !/^-[Cc]$/.test(rest[at - 1]?.text ?? ""));
  const called = rest[verb]?.text ?? "";
  return /^(?:push|fetch|pull)$/.test(called) ? branches(rest, verb) : files(rest, verb, called);
}

/** `:branch` deletes, `+branch` overwrites, `a:b` writes somewhere else. */
function branches(rest: Words, verb: number): readonly FoundForm[] {
  const remote = rest.findIndex(({ text }, at) => at > verb && !text.startsWith("-"));
  if (remote === -1) return [];
  return rest.slice(remote + 1).flatMap(({ flow }) => [form(flow.begins, /^\+/), form(flow.holds, /:/)]);
}

/** `:/` is the whole repository, `:!a` all but one, `*` everything. */
function files(rest: Words, verb: number, called: string): readonly FoundForm[] {
  if (verb === -1 || rest.some(({ text }) => text === "--literal-pathspecs")) return [];
  const dashes = rest.findIndex(({ text, isStatic }, at) => at > verb && isStatic && text === "--");
  const begin = NAMES_ONLY.test(called) ? verb : dashes;
  if (begin === -1) return [];
  return rest.slice(begin + 1).flatMap(({ flow }, at) => {
    if (WITH_VALUE.test(rest[begin + at]?.text ?? "") && begin + at < dashes) return [];
    const patterns = CHANGES.test(called) ? [form(flow.holds, /[*?[]/, LITERAL)] : [];
    return [form(flow.begins, /^:/, LITERAL), ...patterns];
  });
}
