import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type {
  AdmittedPlace,
  ClosedTree,
  ForeignRecord,
  ProgramName,
  ProgramRecord,
  ProgramRecords,
} from "../../ports/program-records.ts";
import { isOwnerAlive } from "../sqlite/owner-lock.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const PROGRAM = /^([A-Za-z0-9_-]{1,100})\.\d+\.program$/;
const TREES = /^[0-9a-f]{64}$/;
const BYTES_MAX = 16 * 1024 * 1024;
/** Texts of trees that no program refers to any more. */
const UNUSED_TREES_MAX = 50;

/**
 * Records of programs, in `programs` of the state directory. A record is a small file without a sync, one for each start: a killed gate
 * leaves it. What it refers to, the places that were closed already, hardly ever changes: it is a file by its digest, and synced, so that
 * after a power cut a record never lacks it.
 */
export class ProgramRecordFiles implements ProgramRecords {
  readonly #stateDir: string;
  readonly #folder: string;
  readonly #owner: string;
  readonly #written = new Set<string>();
  #count = 0;

  constructor(stateDir: string, owner: string) {
    this.#stateDir = stateDir;
    this.#folder = join(stateDir, "programs");
    this.#owner = owner;
  }

  add({ name, trees }: ProgramRecord): Disposable {
    const text = JSON.stringify(trees);
    const digest = createHash("sha256").update(text).digest("hex");
    this.#writeTrees(digest, text);
    const path = join(this.#folder, `${this.#owner}.${++this.#count}.program`);
    create(path, JSON.stringify({ name, trees: digest }), "unsynced");
    return { [Symbol.dispose]: () => this.#remove(path) };
  }

  foreign(): readonly ForeignRecord[] {
    return this.#names().flatMap((file): readonly ForeignRecord[] => {
      const owner = PROGRAM.exec(file)?.[1];
      if (owner === undefined || owner === this.#owner) return [];
      const path = join(this.#folder, file);
      const record = this.#read(path);
      // Not written to its end: the program that it is about was never started.
      if (record === null) return [];
      const isOver = () => !isOwnerAlive(this.#stateDir, owner);
      return [{ ...record, id: file, isOver, remove: () => this.#remove(path) }];
    });
  }

  admit(places: () => readonly AdmittedPlace[]): void {
    if (!this.#names().some((file) => PROGRAM.test(file))) return;
    const lines = places()
      .map((place) => `${JSON.stringify(place)}\n`)
      .join("");
    appendFileSync(this.#admitted, lines, { mode: 0o600 });
  }

  isAdmitted(path: string, digest: () => string | null): boolean {
    const known = (ownText(this.#admitted) ?? "").split("\n").flatMap(placeFrom);
    return known.some((one) => one.path === path && (one.digest === null || one.digest === digest()));
  }

  get #admitted(): string {
    return join(this.#folder, "admitted");
  }

  #names(): readonly string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder) : [];
  }

  #writeTrees(digest: string, text: string): void {
    const path = join(this.#folder, digest);
    if (this.#written.has(digest) && existsSync(path)) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) {
      const draft = `${path}.${this.#owner}`;
      rmSync(draft, { force: true });
      create(draft, text, "synced");
      renameSync(draft, path);
      syncFolder(this.#folder);
      this.#forgetTrees();
    }
    this.#written.add(digest);
  }

  #forgetTrees(): void {
    const names = this.#names();
    const trees = names.filter((file) => TREES.test(file));
    if (trees.length <= UNUSED_TREES_MAX || names.some((file) => PROGRAM.test(file))) return;
    for (const file of trees) if (!this.#written.has(file)) rmSync(join(this.#folder, file), { force: true });
  }

  #read(path: string): ProgramRecord | null {
    const record = jsonFrom<{ readonly name: ProgramName; readonly trees: string }>(ownText(path));
    if (record === null || !TREES.test(record.trees)) return null;
    const text = ownText(join(this.#folder, record.trees));
    if (text === null || createHash("sha256").update(text).digest("hex") !== record.trees) return null;
    const trees = jsonFrom<readonly ClosedTree[]>(text);
    return trees === null ? null : { name: record.name, trees };
  }

  #remove(path: string): void {
    rmSync(path, { force: true });
    if (!this.#names().some((file) => PROGRAM.test(file))) rmSync(this.#admitted, { force: true });
  }
}

function create(path: string, text: string, how: "synced" | "unsynced"): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
    if (how === "synced") fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * The state directory may have come with a repository. A checkout makes no file that only its user may read, so no other
 * is believed. Null = there is no such file.
 */
function ownText(path: string): string | null {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      const isOwn = stats.isFile() && (stats.mode & 0o077) === 0 && stats.uid === process.geteuid?.();
      return isOwn && stats.size <= BYTES_MAX ? readFileSync(file, "utf8") : null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // removed by the gate that made it
    return null;
  }
}

function jsonFrom<Value>(text: string | null): Value | null {
  try {
    return text === null ? null : (JSON.parse(text) as Value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error; // cut off by a power cut
    return null;
  }
}

const placeFrom = (line: string): readonly AdmittedPlace[] => {
  const place = line === "" ? null : jsonFrom<AdmittedPlace>(line);
  return place === null ? [] : [place];
};
