import { Buffer, isUtf8 } from "node:buffer";
import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { digestOfBytes } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { Operand, Preview } from "../../domain/plan.ts";
import {
  type CheckedPath,
  type FileChange,
  type FileFault,
  type FileResult,
  type Files,
  fault,
  type Located,
  ok,
  reachedBy,
} from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { CHANGES } from "./file-effects.ts";
import {
  changedSince,
  failedResult,
  fileRefusal,
  folderTouches,
  judgedFolders,
  judgedOperand,
  judgedPath,
  labelled,
  MAY_BE_FILE,
  namesFolder,
} from "./file-plan.ts";
import { redactedFault } from "./redacted-content.ts";
import { readTextFile } from "./text-file.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { inputError, type Sound, withCheck } from "./with-check.ts";

const DEFINITION = {
  name: "write_file",
  description:
    "Creates a file or replaces its whole content, in one step. With `create_only` a file that is there stays; with `append` the content goes to the end of it. Folders of the workspace that are not there are created.",
  source: "builtin",
  containment: "process",
  effects: CHANGES,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
      content: { type: "string", description: "the whole new content, or what is appended" },
      create_only: { type: "boolean", description: "fail if there is a file already" },
      append: { type: "boolean", description: "add to the end of the file" },
      create_folders: {
        type: "boolean",
        description: "false: fail if the folder is not there, instead of creating it",
      },
      encoding: {
        enum: ["utf-8", "base64"],
        description: "how `content` is written; `base64` is for bytes that are no text",
      },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
} as const;

type WriteInput = {
  readonly path: string;
  readonly content: string;
  readonly create_only?: boolean;
  readonly append?: boolean;
  readonly create_folders?: boolean;
  readonly encoding?: "utf-8" | "base64";
};

const BYTES_MAX = LIMITS.writeBytes.maximum;

export function writeFileTool(files: Files): Tool<WriteInput> {
  const tool = makeTool<WriteInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const bytes = bytesOf(input);
      const refused = bytes.length > BYTES_MAX ? tooLarge(bytes.length) : redactedFault([], [textOf(bytes, input)]);
      if (refused) return refuse(fileRefusal(refused));
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path, kind } = located.value;
      const folders = await folderTouches(
        files,
        kind === "unreachable" && input.create_folders !== false ? [path] : [],
      );
      if (!folders.ok) return refuse(fileRefusal(folders.fault));
      const operand = await planned(files, located.value, bytes, input);
      const touches = [{ kind: "write", path, ...reachedBy(located.value) }, ...folders.value] as const;
      const preview: Preview = async (mayRead) =>
        input.encoding === "base64" ? readable(bytes) : await changeOf(files, located.value, operand, input, mayRead);
      return { kind: "drafted", plan: { touches, operands: [operand], preview } };
    },
    async *run({ input, plan }) {
      const path = judgedPath(plan);
      const written = await write(files, { path, folders: judgedFolders(plan, path) }, judgedOperand(plan), input);
      if (!written.ok) return failedResult(written.fault);
      const bytes = bytesOf(input).length;
      const text = `File written successfully to ${files.shown(path)} (${bytes} bytes${input.append ? " appended" : ""})`;
      return { kind: "completed", content: [{ type: "text", text }] };
    },
  });
  return withCheck(tool, (input) => [...pathErrors(input), ...flagErrors(input), ...encodingErrors(input)]);
}

const bytesOf = ({ content, encoding }: WriteInput): Buffer =>
  Buffer.from(content, encoding === "base64" ? "base64" : "utf8");

/** Marks of secrets are found among other bytes as well. */
const textOf = (bytes: Buffer, { content, encoding }: WriteInput): string =>
  encoding === "base64" ? bytes.toString("latin1") : content;

/** The change of a file that is there, as a diff. Empty: a new file, one that is not text, or one that the caller may not read. */
async function changeOf(
  files: Files,
  located: Located,
  { before }: Operand,
  { content, append }: WriteInput,
  mayRead: Parameters<Preview>[0],
): Promise<string> {
  const { path } = located;
  if (before === null || !mayRead({ kind: "read", path, ...reachedBy(located) })) return "";
  const old = await readTextFile(files, path);
  // A file that changed since would give a diff of something else than what is judged.
  if (!old.ok || old.value.digest !== before) return "";
  const newText = append ? `${old.value.text}${content}` : content;
  return await unifiedDiff({ path: files.shown(path), oldText: old.value.text, newText });
}

/**
 * INVARIANT (read by people): text is sent as text, and of other bytes it is shown what can be read: one byte that is no
 * text, behind a script, would hide it otherwise.
 */
const readable = (bytes: Buffer): string =>
  `As text, with \ufffd for what is none, the ${bytes.length} bytes are:\n${bytes.toString("utf8")}\n`;

/** A NUL is in no text, as `read_file` has it. */
function encodingErrors({ content, encoding }: Sound<WriteInput>): readonly InputError[] {
  if (encoding !== "base64" || content === undefined) return [];
  const bytes = Buffer.from(content, encoding);
  if (bytes.toString("base64") !== content) return [inputError("content", "format", "`content` is not Base64")];
  return isUtf8(bytes) && !bytes.includes(0)
    ? [inputError("content", "format", "`content` is Base64 of a text: send the text, so that people can read it")]
    : [];
}

const pathErrors = ({ path }: Sound<WriteInput>): readonly InputError[] =>
  path !== undefined && namesFolder(path)
    ? [inputError("path", "format", "`path` names a folder: write a file in it, and it is created")]
    : [];

const flagErrors = ({ create_only, append }: Sound<WriteInput>): readonly InputError[] =>
  create_only && append
    ? [inputError("append", "mutually_exclusive", "`create_only` and `append` can't be asked for together")]
    : [];

/**
 * A path that can't be hashed is judged all the same, and the run then says why it can't be written: what the file
 * system thinks of a path, and whether a file is there, is nobody's business before a rule allows it.
 */
async function planned(
  files: Files,
  { path, kind }: Located,
  bytes: Uint8Array,
  { create_only, append }: WriteInput,
): Promise<Operand> {
  if (create_only || !MAY_BE_FILE.has(kind)) return { path, before: null, after: digestOfBytes(bytes) };
  if (!append) {
    const before = await files.digest(path);
    return { path, before: before.ok ? before.value : null, after: digestOfBytes(bytes) };
  }
  const whole = await appended(files, path, bytes);
  return whole.ok
    ? { path, before: whole.value.before, after: digestOfBytes(whole.value.content) }
    : { path, before: null, after: digestOfBytes(bytes) };
}

async function write(
  files: Files,
  place: Required<Pick<FileChange, "path" | "folders">>,
  operand: Operand,
  input: WriteInput,
): Promise<FileResult<null>> {
  const { before } = operand;
  const { path } = place;
  const bytes = bytesOf(input);
  if (input.create_only) return await files.change([{ ...place, before, content: bytes, onlyNew: true }]);
  if (!input.append) return await files.change([{ ...place, before, content: bytes }]);
  const whole = await appended(files, path, bytes);
  if (!whole.ok) return whole;
  const { content } = whole.value;
  if (whole.value.before !== before || digestOfBytes(content) !== operand.after) return changedSince(files.shown(path));
  return await files.change([{ ...place, before, content }]);
}

/** What stands in the file now and the new bytes behind it. No file is an empty one. */
async function appended(
  files: Files,
  path: CheckedPath,
  bytes: Uint8Array,
): Promise<FileResult<{ before: Operand["before"]; content: Uint8Array }>> {
  const read = await files.read(path, { offset: 0, limit: Number.POSITIVE_INFINITY });
  if (!read.ok) return read.fault.code === "FILE_NOT_FOUND" ? ok({ before: null, content: bytes }) : read;
  const content = Buffer.concat([read.value, bytes]);
  if (content.length > BYTES_MAX) {
    const message = `${labelled(files.shown(path))} would be over the limit of ${BYTES_MAX} bytes`;
    return fault("FILE_TOO_LARGE", message, "write to another file");
  }
  return ok({ before: digestOfBytes(read.value), content });
}

const tooLarge = (bytes: number): FileFault => ({
  code: "FILE_TOO_LARGE",
  message: `the content has ${bytes} bytes, and at most ${BYTES_MAX} can be written at once`,
  hint: "write it in parts",
});
