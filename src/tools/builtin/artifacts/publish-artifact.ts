import { Buffer } from "node:buffer";
import { type ApprovedCall, type Draft, refuse, type Tool } from "../../../domain/call.ts";
import { canonicalJson } from "../../../domain/canonical-json.ts";
import { digestOfBytes } from "../../../domain/digest.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { Operand } from "../../../domain/plan.ts";
import type { RunResult } from "../../../domain/tool.ts";
import type { ToolEffects } from "../../../domain/tool-effects.ts";
import { isFileTouch, type Touch } from "../../../domain/touch.ts";
import { quoted } from "../../../domain/visible.ts";
import type { Artifacts, Evidence } from "../../../ports/artifacts.ts";
import type { Blobs } from "../../../ports/blobs.ts";
import { type CheckedPath, type Files, reachedBy } from "../../../ports/files.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { makeTool } from "../../make-tool.ts";
import { changedSince, fileRefusal } from "../file-plan.ts";
import { withCheck } from "../with-check.ts";
import { PUBLISH_SCHEMA, type PublishInput, publishErrors } from "./artifact-input.ts";
import { contentPreview } from "./content-preview.ts";
import { type Brought, contentNotFound, failedBy, type Stored, sizeOf, wholeBlob } from "./stored-content.ts";

/** What is published stays, so publishing it again changes nothing, and nothing takes it back. */
const EFFECTS = {
  network: false,
  subprocess: false,
  filesystem: { read: true, write: false, delete: false },
  idempotent: true,
  reversible: false,
  destructive: false,
  interactive: { stdin: "none", prompts: false, tty: false },
  cost: { estimate: "free", billable: false },
} as const satisfies ToolEffects;

const DEFINITION = {
  name: "publish_artifact",
  description:
    "Publishes content under a name, for good: a stored one by its `content_hash`, a `text`, or the file at `path`. Everybody whose rules let them fetch artifacts can read it. What is published never changes; publishing the same again does nothing.",
  source: "builtin",
  containment: "process",
  effects: EFFECTS,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: PUBLISH_SCHEMA,
} as const;

export interface PublishPorts {
  readonly artifacts: Artifacts;
  readonly blobs: Blobs;
  readonly evidence: Evidence;
  readonly files: Files;
  readonly redactor: Redactor;
}

type Call = Omit<ApprovedCall, "input"> & { readonly input: PublishInput };

export function publishArtifactTool(ports: PublishPorts): Tool<PublishInput> {
  const { files, redactor } = ports;
  const tool = makeTool<PublishInput>({
    definition: DEFINITION,
    async plan(call): Promise<Draft> {
      const { input, tool } = call;
      if (redactor.certain.text(input.artifact_id) !== input.artifact_id) return refuse(SECRET_NAME);
      const own: Touch = { kind: "tool", name: DEFINITION.name, definitionDigest: tool.definitionDigest };
      const { content_hash: hash } = input;
      if (input.path === undefined) {
        const preview = hash === undefined ? {} : { preview: () => storedInWords(call, hash, ports) };
        return { kind: "drafted", plan: { touches: [own], operands: [], ...preview } };
      }
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path } = located.value;
      return {
        kind: "drafted",
        plan: {
          touches: [own, { kind: "read", path, ...reachedBy(located.value) }],
          operands: [await planned(files, path)],
          preview: async () => {
            const read = await files.read(path, WHOLE);
            return read.ok ? contentPreview(read.value, redactor) : read.fault.message;
          },
        },
      };
    },
    async run(call) {
      const brought = await contentOf(call, ports);
      return brought.ok ? await published(call, brought.value, ports) : failedBy(brought.fault);
    },
  });
  return withCheck(tool, publishErrors);
}

const WHOLE = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** Who approves a hash reads what it stands for, as far as the caller may name it. */
async function storedInWords(
  call: Parameters<Evidence["holds"]>[0],
  hash: string,
  { blobs, evidence, redactor }: PublishPorts,
): Promise<string> {
  if (!evidence.holds(call, hash)) return contentNotFound(hash).message;
  const read = await wholeBlob(blobs, call.project, hash, LIMITS.blobBytes.default);
  return read.ok ? contentPreview(read.value, redactor) : read.fault.message;
}

/** What can't be read is judged all the same, and the run says why: see `write-file.ts`. */
async function planned(files: Files, path: CheckedPath): Promise<Operand> {
  const digest = await files.digest(path);
  const now = digest.ok ? digest.value : null;
  return { path, before: now, after: now };
}

/** In the store, and its caller's own. INVARIANT (knowing is not owning): nobody publishes what they only know the hash of. */
async function contentOf(call: Call, { blobs, evidence, files, redactor }: PublishPorts): Promise<Stored<Brought>> {
  const { input, plan, project } = call;
  if (input.content_hash !== undefined) {
    const size = evidence.holds(call, input.content_hash) ? await sizeOf(blobs, project, input.content_hash) : null;
    if (size?.ok === false) return size;
    return size === null || size.value === null
      ? { ok: false, fault: contentNotFound(input.content_hash) }
      : { ok: true, value: { hash: input.content_hash as Brought["hash"], bytes: size.value } };
  }
  const read = input.text === undefined ? await judgedFile(files, plan) : { ok: true, value: Buffer.from(input.text) };
  if (!("value" in read)) return read;
  const stored = await blobs.put(project, redactor.certain.redactChunks([read.value]));
  if (stored.ok) evidence.keep(call, stored.value.hash);
  return stored;
}

/** INVARIANT (judged = published): the file of the touch, with the bytes that it had then. */
async function judgedFile(files: Files, { touches, operands: [operand] }: Call["plan"]): Promise<Stored<Uint8Array>> {
  const touch = touches.find(isFileTouch);
  if (touch === undefined) throw new TypeError("the plan of a file that is published has a file");
  const path = touch.path as CheckedPath;
  const read = await files.read(path, WHOLE);
  if (!read.ok) return read;
  return digestOfBytes(read.value) === operand?.after ? read : (changedSince(files.shown(path)) as Stored<never>);
}

/** The record is there before its name, and the name before the ledger is told: a crash leaves nothing half published. */
async function published(
  call: Call,
  { hash, bytes }: Brought,
  { artifacts, blobs, evidence, redactor }: PublishPorts,
): Promise<RunResult> {
  const { artifact_id, category, metadata = {} } = call.input;
  const said = redactor.certain.redactJson({ category, metadata: { ...metadata } }).value;
  const record = { artifact_id, content_hash: hash, bytes, ...said };
  const kept = await blobs.put(call.project, Buffer.from(canonicalJson(record)));
  if (!kept.ok) return failedBy(kept.fault);
  const added = await artifacts.add(call.project, artifact_id, { content: hash, record: kept.value.hash });
  if (!added.ok) return failedBy(added.fault);
  const { isNew, entry } = added.value;
  if (entry.record !== kept.value.hash) return failedBy(taken(artifact_id));
  const body = { artifact: artifact_id, blob: hash, bytes, callId: call.callId, category: said.category };
  const untold = await evidence.tell(call, "evidence.published", { ...body, recordBlob: entry.record });
  if (untold !== null) return failedBy(untold);
  const text = `${isNew ? "Published" : "Was published before:"} ${quoted(artifact_id)} (${bytes} bytes, ${hash})`;
  return { kind: "completed", content: [{ type: "text", text }], structured: { ...record, is_new: isNew } };
}

const SECRET_NAME = {
  code: "INVALID_ARGUMENTS",
  stage: "plan",
  message: "`artifact_id` holds the value of a secret, and nobody could find it again",
} as const;

const taken = (id: string) =>
  ({
    code: "ARTIFACT_EXISTS",
    message: `something else is published as ${quoted(id)}, and what is published never changes`,
    hint: "publish it under another name",
  }) as const;
