import { GIT_OPERATIONS } from "../../domain/git-operations.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { ToolRequest, Tools } from "./messages.ts";

/** One thing wrong with a request, by the name of its field and of the rule that it breaks. */
export type ValidationError = InputError;

type Check = (field: string) => readonly ValidationError[];

/** Everything that is wrong with a request, at once; nothing = it is valid. It says nothing of what the request may do. */
export function validateToolRequest({
  request_id,
  session_token,
  dedupe_key,
  tool,
}: ToolRequest): readonly ValidationError[] {
  return [
    ...id(request_id)("request_id"),
    ...id(session_token)("session_token"),
    ...maxLength(dedupe_key, LIMITS.idLength.maximum)("dedupe_key"),
    ...(tool === null ? error("tool", "required", "is missing") : fieldErrors(tool)),
  ];
}

const fieldErrors = ({ kind, value }: NonNullable<ToolRequest["tool"]>): readonly ValidationError[] =>
  Object.entries(CHECKS[kind](value as never)).flatMap(([field, check]) => check(`${kind}.${field}`));

/** The checks of each field, in the order in which they are told. */
const CHECKS: { readonly [Kind in keyof Tools]: (value: Tools[Kind]) => Readonly<Record<string, Check>> } = {
  file_read: ({ path: given, limit }) => ({ path: path(given), limit: maxValue(limit, LIMITS.readBytes.maximum) }),
  file_write: ({ path: given, content, create_only, append }) => ({
    path: path(given),
    content: maxSize(content.length, LIMITS.writeBytes.maximum),
    append: (field) =>
      create_only && append ? error(field, "mutually_exclusive", "can't be asked for with `create_only`") : [],
  }),
  file_edit: ({ path: given, old_content, new_content }) => ({
    path: path(given),
    old_content: all(required(old_content), maxSize(byteLength(old_content), LIMITS.editBytes.maximum)),
    new_content: maxSize(byteLength(new_content), LIMITS.editBytes.maximum),
  }),
  shell_exec: ({ command, cwd: folder, timeout_ms, env }) => ({
    command: all(required(command), maxSize(byteLength(command), LIMITS.commandBytes.maximum)),
    cwd: cwd(folder),
    timeout_ms: maxValue(timeout_ms, LIMITS.commandTimeoutMs.maximum),
    env: pairs(env),
  }),
  git_op: ({ operation, args, cwd: folder }) => ({
    operation: knownOperation(operation),
    args: items(args, (item) => maxSize(byteLength(item), LIMITS.itemBytes.maximum)),
    cwd: cwd(folder),
  }),
  inference: ({ provider, model, prompt_hash, max_tokens, system_prompt_hash }) => ({
    provider: id(provider),
    model: id(model),
    prompt_hash: hash(prompt_hash),
    max_tokens: maxValue(max_tokens, LIMITS.tokens.maximum),
    system_prompt_hash: optionalHash(system_prompt_hash),
  }),
  artifact_publish: ({ artifact_id, content_hash, category, metadata }) => ({
    artifact_id: id(artifact_id),
    content_hash: hash(content_hash),
    category: id(category),
    metadata: pairs(metadata),
  }),
  artifact_fetch: ({ stable_id, content_hash, expected_hash, max_bytes, format }) => ({
    stable_id: (field) => [
      ...(stable_id === "" && content_hash.length === 0 ? required("")(field) : []),
      ...maxLength(stable_id, LIMITS.idLength.maximum)(field),
    ],
    content_hash: optionalHash(content_hash),
    expected_hash: optionalHash(expected_hash),
    max_bytes: maxValue(max_bytes, LIMITS.blobBytes.maximum),
    format: (field) => (FETCH_FORMATS.has(format) ? [] : error(field, "format", "has to be empty, `text` or `base64`")),
  }),
};

const error = (field: string, rule: string, why: string): readonly ValidationError[] => [
  { field, rule, message: `\`${field}\` ${why}` },
];

const all =
  (...checks: readonly Check[]): Check =>
  (field) =>
    checks.flatMap((check) => check(field));

const required =
  (text: string): Check =>
  (field) =>
    text === "" ? error(field, "required", "is missing") : [];

const maxLength =
  (text: string, max: number): Check =>
  (field) =>
    isLonger(text, max) ? error(field, "max_length", `has more than ${max} characters`) : [];

const maxSize =
  (bytes: number, max: number): Check =>
  (field) =>
    bytes > max ? error(field, "max_size", `has ${bytes} bytes, and ${max} is the most`) : [];

const maxValue =
  (value: bigint, max: number): Check =>
  (field) =>
    value > BigInt(max) ? error(field, "max_value", `is ${value}, and ${max} is the most`) : [];

const id = (text: string): Check => all(required(text), maxLength(text, LIMITS.idLength.maximum));

/** Longer ones no kernel opens, and it counts bytes. What is too long is looked at no further: it may be very long. */
const cwd =
  (text: string): Check =>
  (field) => {
    const max = LIMITS.pathBytes.maximum;
    if (text.length > max || byteLength(text) > max) return error(field, "max_length", `is longer than ${max} bytes`);
    return [
      ...(text.includes("\0") ? error(field, "no_null_bytes", "holds a NUL character") : []),
      ...(text.split(/[/\\]/).includes("..") ? error(field, "no_path_traversal", "leads upwards with `..`") : []),
    ];
  };

const path = (text: string): Check => all(required(text), cwd(text));

const items =
  (given: readonly string[], check: (item: string) => Check): Check =>
  (field) =>
    given.length > LIMITS.repeatedItems.maximum
      ? error(field, "max_items", `has ${given.length} items, and ${LIMITS.repeatedItems.maximum} is the most`)
      : given.flatMap((item, index) => check(item)(`${field}[${index}]`));

/** `KEY=VALUE`: with a second `=` two programs could read two different things. */
const pair: Check = (field) => error(field, "format", "has to be `KEY=VALUE`, with exactly one `=`");

const pairs = (given: readonly string[]): Check => {
  const seen = new Set<string>();
  return items(given, (item) => {
    const bytes = byteLength(item);
    if (bytes > LIMITS.itemBytes.maximum) return maxSize(bytes, LIMITS.itemBytes.maximum);
    const [name = "", ...rest] = item.split("=");
    const isRepeated = seen.has(name);
    seen.add(name);
    return all(name === "" || rest.length !== 1 ? pair : () => [], (field) =>
      isRepeated ? error(field, "format", "names a key for the second time") : [],
    );
  });
};

const knownOperation =
  (operation: string): Check =>
  (field) =>
    (GIT_OPERATIONS as readonly string[]).includes(operation)
      ? []
      : error(field, "known_operation", `has to be one of ${GIT_OPERATIONS.join(", ")}`);

const hash =
  (bytes: Uint8Array): Check =>
  (field) =>
    bytes.length === LIMITS.hashBytes.maximum
      ? []
      : error(field, "hash_size", `has to be the ${LIMITS.hashBytes.maximum} bytes of a hash, and has ${bytes.length}`);

const optionalHash = (bytes: Uint8Array): Check => (bytes.length === 0 ? () => [] : hash(bytes));

const FETCH_FORMATS: ReadonlySet<string> = new Set(["", "text", "base64"]);

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;

/** In code points; a long text is not counted to its end. */
function isLonger(text: string, max: number): boolean {
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}
