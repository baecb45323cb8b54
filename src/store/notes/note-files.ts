import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Notes } from "../../ports/notes.ts";
import { isSystemError } from "../system-error.ts";

const NAME = /^[A-Za-z0-9-]+(?:\/[A-Za-z0-9-]+)*$/;
const BYTES_MAX = 2 * 1024 * 1024;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Files below `notes` in the state directory. That may have come with a repository, so only what this user alone may read
 * and write is believed: no checkout makes such a file.
 */
export class NoteFiles implements Notes {
  readonly #root: string;

  constructor(stateDir: string) {
    this.#root = join(stateDir, "notes");
  }

  read(name: string): string | null {
    return quietly(() => {
      const file = openSync(this.#path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const stats = fstatSync(file);
        const isOwn = stats.isFile() && (stats.mode & 0o077) === 0 && stats.uid === process.getuid?.();
        return isOwn && stats.size <= BYTES_MAX ? readFileSync(file, "utf8") : null;
      } finally {
        closeSync(file);
      }
    }, null);
  }

  write(name: string, text: string): void {
    quietly(() => {
      const path = this.#path(name);
      const draft = `${path}.${randomBytes(6).toString("hex")}`;
      this.#makeFolders(path);
      try {
        create(draft, text);
        renameSync(draft, path);
      } finally {
        rmSync(draft, { force: true });
      }
    }, undefined);
  }

  claim(name: string, text: string): boolean {
    return quietly(() => {
      const path = this.#path(name);
      this.#makeFolders(path);
      create(path, text);
      return true;
    }, false);
  }

  remove(name: string): void {
    quietly(() => rmSync(this.#path(name), { force: true }), undefined);
  }

  list(folder: string): readonly string[] {
    return quietly(() => {
      const path = this.#path(folder);
      const found = readdirSync(path)
        .filter((name) => NAME.test(name))
        .map((name) => ({ name, at: lstatSync(join(path, name)).mtimeMs }));
      return found.sort((a, b) => a.at - b.at).map(({ name }) => `${folder}/${name}`);
    }, []);
  }

  #path(name: string): string {
    if (!NAME.test(name)) throw new UnusableNote(`\`${name}\` can't be the name of a note`);
    return join(this.#root, name);
  }

  /** A folder that is a link leads to somebody else's files. */
  #makeFolders(path: string): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let at = dirname(path); at.length >= this.#root.length; at = dirname(at))
      if (!lstatSync(at).isDirectory()) throw new UnusableNote("a folder of notes is not a folder");
  }
}

class UnusableNote extends Error {}

function create(path: string, text: string): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** A note that can't be kept is one that is not there. */
function quietly<Value>(act: () => Value, otherwise: Value): Value {
  try {
    return act();
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof UnusableNote)) throw error;
    return otherwise;
  }
}
