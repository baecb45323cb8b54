import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { digestOfText } from "../../domain/digest.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import type { ArtifactEntry, Artifacts } from "../../ports/artifacts.ts";
import type { BlobFault, BlobResult } from "../../ports/blobs.ts";
import { isBlobHash } from "../blobs/blake3.ts";
import { faultFrom, invalidHash } from "../blobs/blob-faults.ts";
import { hasForeignFolder, makeFolders, syncFolder } from "../blobs/blob-place.ts";

/** Two hashes and their names. */
const BYTES_MAX = 1024;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Names of artifacts as files in the state directory, `artifacts/PROJECT/ids/…` and `…/content/…`: a link to what was
 * written whole, which fails where there is one. The names of the files are digests, so that no id leads anywhere.
 */
export class ArtifactFiles implements Artifacts {
  readonly #root: string;

  constructor(stateDir: string) {
    this.#root = join(stateDir, "artifacts");
  }

  async add(project: string, id: string, entry: ArtifactEntry): ReturnType<Artifacts["add"]> {
    const { all, own, ids, contents } = this.#folders(project);
    try {
      const folders = [all, own, ids, contents];
      if (hasForeignFolder(folders)) return { ok: false, fault: notAFolder() };
      await makeFolders(folders);
      const place = join(ids, digestOfText(id));
      const isNew = await written(own, place, entry);
      const found = isNew ? entry : await read(place);
      if (found === null || "fault" in found) return { ok: false, fault: found?.fault ?? damaged(id) };
      // Also where it was there already: whoever wrote it may have died between the two.
      await linked(place, join(contents, found.content));
      for (const folder of [ids, contents]) await syncFolder(folder);
      return { ok: true, value: { isNew, entry: found } };
    } catch (error) {
      return { ok: false, fault: faultFrom(error) };
    }
  }

  async byId(project: string, id: string): Promise<BlobResult<ArtifactEntry | null>> {
    return this.#found(project, "ids", digestOfText(id));
  }

  async byContent(project: string, hash: string): Promise<BlobResult<ArtifactEntry | null>> {
    if (!isBlobHash(hash)) return { ok: false, fault: invalidHash(hash) };
    const found = await this.#found(project, "contents", hash);
    return found.ok && found.value !== null && found.value.content !== hash
      ? { ok: false, fault: damaged(hash) }
      : found;
  }

  async #found(project: string, kind: "ids" | "contents", name: string): Promise<BlobResult<ArtifactEntry | null>> {
    const { all, own, ...folders } = this.#folders(project);
    try {
      if (hasForeignFolder([all, own, folders[kind]])) return { ok: false, fault: notAFolder() };
      const found = await read(join(folders[kind], name));
      return found !== null && "fault" in found ? { ok: false, fault: found.fault } : { ok: true, value: found };
    } catch (error) {
      return { ok: false, fault: faultFrom(error) };
    }
  }

  #folders(project: string) {
    const own = join(this.#root, digestOfText(project));
    return { all: this.#root, own, ids: join(own, "ids"), contents: join(own, "content") };
  }
}

/** Whether it is new: of all who try at once, in whichever process, one is told true. */
async function written(folder: string, place: string, { content, record }: ArtifactEntry): Promise<boolean> {
  const draft = join(folder, `draft-${randomBytes(12).toString("hex")}`);
  try {
    const file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await file.writeFile(JSON.stringify({ content, record }));
      await file.sync();
    } finally {
      await file.close();
    }
    return await linked(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The state may have come with a repository: only what this user alone may read and write is believed. */
async function read(place: string): Promise<ArtifactEntry | { readonly fault: BlobFault } | null> {
  try {
    const file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await file.stat();
      const isOwn = stats.isFile() && (stats.mode & 0o077) === 0 && stats.uid === process.getuid?.();
      const text = isOwn && stats.size <= BYTES_MAX ? await file.readFile("utf8") : "";
      return entryFrom(text) ?? { fault: damaged(null) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    if (codeOf(error) === "ELOOP") return { fault: damaged(null) };
    throw error;
  }
}

function entryFrom(text: string): ArtifactEntry | null {
  const { content, record } = parsed(text);
  const isEntry = typeof content === "string" && typeof record === "string" && isBlobHash(content);
  return isEntry && isBlobHash(record) ? { content, record } : null;
}

function parsed(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

const damaged = (what: string | null): BlobFault => ({
  code: "BLOB_DAMAGED",
  message: `what is kept of the artifact${what === null ? "" : ` ${quoted(what)}`} is no longer what was stored`,
  hint: "restore the state directory from a backup",
});

const notAFolder = (): BlobFault => ({ code: "IO_ERROR", message: "a folder for artifacts is none" });
