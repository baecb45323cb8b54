import { type FormWord, type FoundForm, form } from "./form-of.ts";
import { jsonForms } from "./json-forms.ts";
import { urlParts } from "./url-forms.ts";
import { headOf, type Shape } from "./word-shape.ts";

type Words = readonly FormWord[];

/** Letters with a value; and long names without one. What is in neither is taken for an option with a value. */
const VALUES = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";
const FLAGS: ReadonlySet<string> = new Set(
  `silent show-error fail fail-with-body fail-early location location-trusted compressed insecure include head verbose globoff get
  remote-name remote-name-all remote-header-name remote-time remove-on-error tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 http0.9 http1.0 http1.1
  http2 http2-prior-knowledge http3 http3-only ipv4 ipv6 progress-bar create-dirs netrc netrc-optional ssl ssl-reqd path-as-is raw anyauth
  basic digest next parallel parallel-immediate retry-connrefused retry-all-errors append list-only use-ascii disable ntlm negotiate
  proxytunnel proxy-insecure post301 post302 post303 tcp-nodelay tcp-fastopen tr-encoding trace-time styled-output xattr
  junk-session-cookies ignore-content-length suppress-connect-headers haproxy-protocol false-start compressed-ssh cert-status
  skip-existing`
    .split(/\s+/)
    .map((name) => `--${name}`),
);

/** Another line of the request. */
const LINES = /[\r\n]/;
const RAW = "the tool's author can write `--data-raw`, by which it is never a file's name";
const GLOBS = "the tool's author can add `-g`";
const FORM = "the tool's author can write `--form-string`, by which it is never a file's name";

type Form = (word: FormWord, head: string) => readonly FoundForm[];

/** Whether its author has written a `=`, wherever in the word: what stands before the first one is a name. */
const isSet = (shape: Shape): boolean => shape.some((part) => typeof part === "string" && part.includes("="));

const data: Form = (word) => [form(first(word), /^@/, RAW), ...jsonForms(word.shape)];
const line: Form = ({ flow }) => [form(flow.holds, LINES)];
const header: Form = (word) => [form(first(word), /^@/), form(word.flow.holds, LINES)];

/** What an option's value begins with, also where that is glued to it: `-d{{x}}`. */
const first = ({ flow, shape }: FormWord): ReadonlySet<number> => {
  const head = headOf(shape);
  return head.length === valueAt(head) + 1 && /^-[a-zA-Z#\d]/.test(head) ? flow.holds : flow.begins;
};

/** `@` and the like before a value make a file's name of it, which is read and sent. */
const BY_OPTION: Readonly<Record<string, Form>> = {
  ...{ "-d": data, "--data": data, "--data-ascii": data, "--data-binary": data, "--json": data },
  "--data-raw": ({ shape }) => jsonForms(shape),
  ...{ "-H": header, "--header": header, "--proxy-header": header },
  ...{ "-A": line, "--user-agent": line, "-e": line, "--referer": line },
  "--data-urlencode": ({ flow, shape }) =>
    isSet(shape) ? [] : [form(flow.holds, /^[^=]*@[^=]*$/, "the tool's author can put `=` or `name=` before it")],
  "--variable": ({ flow, shape }) => (isSet(shape) ? [] : [form(flow.holds, /^[^=]*@[^=]*$|^%/)]),
  "-Q": line,
  "-F": ({ flow }, head) => [
    form(flow.holds, /=[@<]/.test(head) ? /[,;"]/ : head.includes("=") ? /^[@<"(]|;/ : /=\s*[@<"(]|;/, FORM),
  ],
  // Without a `=` it is a file's name.
  "-b": ({ flow, shape }) => [form(flow.holds, LINES), ...(isSet(shape) ? [] : [form(flow.holds, /^[^=]*$/)])],
  "-X": ({ flow }) => [form(flow.holds, /[^\w-]/)],
  "-w": (word) => [form(first(word), /^@/), form(word.flow.holds, /%/)],
};

const SHORT: Readonly<Record<string, string>> = {
  ...{ "--form": "-F", "--cookie": "-b", "--request": "-X", "--write-out": "-w", "--url-query": "--data-urlencode" },
  "--quote": "-Q",
};

export function curlForms(rest: Words): readonly FoundForm[] {
  const isGlobbing = !rest.some(
    ({ text, isStatic }) => isStatic && (text === "--globoff" || /^-[a-zA-Z#]*g/.test(text)),
  );
  const end = rest.findIndex(({ text, isStatic }) => isStatic && text === "--");
  return rest.flatMap((word, at) => {
    const head = headOf(word.shape);
    const option = end !== -1 && at > end ? null : optionOf(rest, at);
    // Of `--url`, newer ones take a file with addresses.
    if (option === "--url") return [form(word.flow.begins, /^@/), ...urlForms(word, head, isGlobbing)];
    if (option === null) return urlForms(word, head, isGlobbing);
    // Of files to be sent there may be many, too.
    if (option === "-T" || option === "--upload-file")
      return isGlobbing ? [form(word.flow.holds, /[{}[\]]/, GLOBS)] : [];
    return BY_OPTION[SHORT[option] ?? option]?.(word, head) ?? [];
  });
}

/** The option whose value a word is, or is a part of; null = an address. */
function optionOf(rest: Words, at: number): string | null {
  const { shape, isStatic } = rest[at] as FormWord;
  const head = headOf(shape);
  if (!isStatic && /^-[a-zA-Z#\d]/.test(head)) return head.length > valueAt(head) ? `-${head[valueAt(head)]}` : head;
  const before = rest[at - 1];
  if (before?.isStatic !== true || !/^-./.test(before.text)) return null;
  if (before.text.startsWith("--"))
    return FLAGS.has(before.text) || before.text.startsWith("--no-") ? null : before.text;
  return valueAt(before.text) === before.text.length - 1 ? `-${before.text.at(-1)}` : null;
}

/** Where the first letter of a cluster is that has a value: the rest of the word, or the next one. */
function valueAt(text: string): number {
  const at = [...text].findIndex((letter, index) => index > 0 && VALUES.includes(letter));
  return at === -1 ? text.length : at;
}

/** `file:` and others read what is here; braces and brackets stand for many addresses. */
function urlForms(word: FormWord, head: string, isGlobbing: boolean): readonly FoundForm[] {
  const { flow } = word;
  const many = form(flow.holds, /[{}]|\[(?![\da-f:.]*:[\da-f:.%]*\])/i, GLOBS);
  const scheme = form(flow.begins, /^(?!https?:|ftps?:)[a-z][\w+.-]*:\//i);
  return [...(isGlobbing ? [many] : []), ...(head === "" ? [scheme] : []), ...urlParts(word, true)];
}
