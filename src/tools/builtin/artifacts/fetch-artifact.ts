import type { ApprovedCall, Draft, Tool } from "../../../domain/call.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { Content } from "../../../domain/outcome.ts";
import type { RunResult } from "../../../domain/tool.ts";
import type { ToolEffects } from "../../../domain/tool-effects.ts";
import { quoted } from "../../../domain/visible.ts";
import type { ArtifactEntry, Artifacts } from "../../../ports/artifacts.ts";
import type { Blobs } from "../../../ports/blobs.ts";
import { makeTool } from "../../make-tool.ts";
import { base64Content, contentFromBytes } from "../content-from-bytes.ts";
import { textFrom } from "../text-from.ts";
import { withCheck } from "../with-check.ts";
import { FETCH_SCHEMA, type FetchInput, fetchErrors } from "./artifact-input.ts";
import { failedBy, type Stored, wholeBlob } from "./stored-content.ts";

const EFFECTS = {
  network: false,
  subprocess: false,
  filesystem: { read: false, write: false, delete: false },
  idempotent: true,
  reversible: true,
  destructive: false,
  interactive: { stdin: "none", prompts: false, tty: false },
  cost: { estimate: "free", billable: false },
} as const satisfies ToolEffects;

const DEFINITION = {
  name: "fetch_artifact",
  description:
    "Reads what was published, by its name or by the BLAKE3 of its content. Text comes back as text, pictures as pictures, anything else as base64; what is said about it is in the structured result.",
  source: "builtin",
  containment: "process",
  effects: EFFECTS,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: FETCH_SCHEMA,
} as const;

export interface FetchPorts {
  readonly artifacts: Artifacts;
  readonly blobs: Blobs;
}

type Call = Omit<ApprovedCall, "input"> & { readonly input: FetchInput };

/** Only what is published: another blob is nobody's to fetch, whoever knows its hash. */
export function fetchArtifactTool(ports: FetchPorts): Tool<FetchInput> {
  const tool = makeTool<FetchInput>({
    definition: DEFINITION,
    plan: ({ tool }): Draft => ({
      kind: "drafted",
      plan: {
        touches: [{ kind: "tool", name: DEFINITION.name, definitionDigest: tool.definitionDigest }],
        operands: [],
      },
    }),
    async run(call) {
      const found = await published(call, ports);
      return found.ok ? await fetched(call, found.value, ports) : failedBy(found.fault);
    },
  });
  return withCheck(tool, fetchErrors);
}

async function published({ input, project }: Call, { artifacts }: FetchPorts): Promise<Stored<ArtifactEntry>> {
  const { artifact_id: id, content_hash: hash, expected_hash: expected } = input;
  const found = id === undefined ? await artifacts.byContent(project, hash ?? "") : await artifacts.byId(project, id);
  if (!found.ok) return found;
  const entry = found.value;
  if (entry === null) return { ok: false, fault: unknownArtifact(id ?? hash ?? "") };
  const wrong = [hash, expected].find((wanted) => wanted !== undefined && wanted !== entry.content);
  return wrong === undefined ? { ok: true, value: entry } : { ok: false, fault: otherContent(entry.content, wrong) };
}

async function fetched(
  { input, project }: Call,
  { content: hash, record }: ArtifactEntry,
  { blobs }: FetchPorts,
): Promise<RunResult> {
  const said = await wholeBlob(blobs, project, record, LIMITS.blobBytes.default);
  if (!said.ok) return failedBy(said.fault);
  const about = recordFrom(said.value);
  const read = await wholeBlob(blobs, project, hash, input.max_bytes ?? LIMITS.resultBytes.default);
  if (!read.ok) return failedBy(read.fault);
  const content = written(read.value, `artifact:${about["artifact_id"]}`, input.format);
  if (content === null) return failedBy(NOT_TEXT);
  return { kind: "completed", content: [content], structured: about };
}

/** Null: it is no text, and was to be one. */
function written(bytes: Uint8Array, uri: string, format: FetchInput["format"]): Content | null {
  if (format === "base64") return base64Content(bytes, uri);
  if (format === undefined) return contentFromBytes(bytes, uri, "whole");
  const text = textFrom(bytes);
  return text === null ? null : { type: "text", text };
}

/** The gate's own writing, under a hash that was checked just now. */
function recordFrom(bytes: Uint8Array): JsonObject {
  const record: JsonValue = JSON.parse(new TextDecoder().decode(bytes));
  if (!isJsonObject(record)) throw new TypeError("the record of an artifact is an object");
  return record;
}

const unknownArtifact = (name: string) =>
  ({ code: "ARTIFACT_UNKNOWN", message: `nothing is published as ${quoted(name)}` }) as const;

const otherContent = (has: string, wanted: string) =>
  ({ code: "HASH_MISMATCH", message: `the content has the hash ${quoted(has)}, and not ${quoted(wanted)}` }) as const;

const NOT_TEXT = {
  code: "NOT_TEXT",
  message: "the content is not UTF-8 text",
  hint: "leave `format` out, or ask for `base64`",
} as const;
