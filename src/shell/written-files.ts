import type { SyntaxNode } from "unbash";
import type { ConstantValues } from "./constant-values.ts";
import { forEachChild } from "./parse-bash.ts";
import { type Shape, shapeOf, tailOf, textOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();

interface WrittenFile {
  readonly path: FilePath;
  readonly holds: Values;
}

/** What is known of a file's path before the script runs. */
interface FilePath {
  /** All of it, without `./`; null = a part is known only at run time. */
  readonly whole: string | null;
  /** Its last name, or how that ends. */
  readonly last: string;
  readonly isLastWhole: boolean;
}

const DEFINITIONS_MAX = 4;
/** A new file has a name that no other has. */
const NEW_FILE = /^"?\$\(\s*mktemp\b[^$`;|&]*\)"?$/;
const NEW = "\u0002";
/** Of names that programs look for, those that a longer one may end in. */
const USUAL =
  "Makefile makefile GNUmakefile package.json build.ninja CMakeLists.txt justfile Rakefile Cargo.toml build.rs".split(
    " ",
  );
const ANY: FilePath = { whole: null, last: "", isLastWhole: false };

/** Files that values were written to, by whatever they may be called when somebody opens them again. */
export class WrittenFiles {
  readonly #constants: ConstantValues;
  readonly #files = new Map<string, WrittenFile>();
  /** The script changes its folder, or copies: the same file has several paths then, and one last name. */
  #hasMoved = false;

  constructor(constants: ConstantValues) {
    this.#constants = constants;
  }

  /** Whether that is anything new. */
  add(name: Shape | "any", holds: Values): boolean {
    if (holds.size === 0) return false;
    const path = name === "any" ? ANY : this.#pathOf(name);
    if (path.whole !== null && /^\/dev\/(?:null|stdout|stderr|tty)$/.test(path.whole)) return false;
    const key = JSON.stringify(path);
    const before = this.#files.get(key)?.holds ?? NONE;
    const after = before.union(holds);
    this.#files.set(key, { path, holds: after });
    return after.size > before.size;
  }

  move(): boolean {
    const isNew = !this.#hasMoved;
    this.#hasMoved = true;
    return isNew;
  }

  /** What a file holds that is surely, or by its last name, one of these. */
  inSame(name: Shape): Values {
    if (this.#files.size === 0) return NONE;
    const path = this.#pathOf(name);
    return this.#held((file) => file.isLastWhole && path.isLastWhole && this.#mayBeSame(file, path));
  }

  /** What is in the files that words inside a node name. */
  inWordsOf(node: SyntaxNode): Values {
    let values = NONE;
    const visit = (child: SyntaxNode): void => {
      if (child.type === "Word") values = values.union(this.inSame(shapeOf(child.text)));
      forEachChild(child, visit);
    };
    if (this.#files.size > 0) visit(node);
    return values;
  }

  /** What a file may hold, where one has to be sure that it is none of these. */
  inAnyLike(name: Shape): Values {
    if (this.#files.size === 0) return NONE;
    const path = this.#pathOf(name);
    const below = path.whole === null || path.whole === "" ? null : `${path.whole}/`;
    return this.#held(
      (file) => this.#mayBeSame(file, path) || (below !== null && file.whole?.startsWith(below) === true),
    );
  }

  inAny = (): Values => this.#held(() => true);

  inAnyNamed(names: RegExp, how: "surely" | "perhaps"): Values {
    return this.#held(({ whole, last, isLastWhole }) => {
      // Nobody looks into a new folder, unless the script goes there.
      if (whole?.startsWith(NEW) === true && !this.#hasMoved) return false;
      if (isLastWhole) return names.test(last);
      const isLike =
        last === "" || names.test(`x${last}`) || USUAL.some((one) => one.endsWith(last) && names.test(one));
      return how === "perhaps" && isLike;
    });
  }

  #held(isMeant: (path: FilePath) => boolean): Values {
    return [...this.#files.values()].reduce(
      (values, { path, holds }) => (isMeant(path) ? values.union(holds) : values),
      NONE,
    );
  }

  #mayBeSame(one: FilePath, other: FilePath): boolean {
    const isSameKind = one.whole?.startsWith("/") === other.whole?.startsWith("/");
    if (one.whole !== null && other.whole !== null && isSameKind && !this.#hasMoved) return one.whole === other.whole;
    if (one.isLastWhole && other.isLastWhole) return one.last === other.last;
    if (one.isLastWhole) return one.last.endsWith(other.last);
    return other.isLastWhole
      ? other.last.endsWith(one.last)
      : one.last.endsWith(other.last) || other.last.endsWith(one.last);
  }

  #pathOf(name: Shape): FilePath {
    const shape = this.#written(name, 0);
    const text = textOf(shape);
    const tail = tailOf(shape);
    const whole =
      text === null
        ? null
        : text
            .replace(/\/+/g, "/")
            .replace(/^(?:\.\/)+/, "")
            .replace(/\/$/, "");
    // Where a path goes up, only its end is sure.
    if (whole !== null && /(?:^|\/)\.\.(?:\/|$)/.test(whole))
      return { whole: null, last: whole.replace(/^.*\//s, ""), isLastWhole: true };
    const isLastWhole = whole !== null || tail.replace(/\/$/, "").includes("/");
    return { whole, last: (whole ?? tail).replace(/^.*\//s, ""), isLastWhole };
  }

  /** With what variables were set to in their places. */
  #written(shape: Shape, depth: number): Shape {
    return shape
      .flatMap((part): Shape => {
        if (typeof part !== "string" && NEW_FILE.test(part.raw)) return [`${NEW}${part.raw}`];
        if (typeof part === "string" || part.name === null) return [part];
        const definition = this.#constants.definition(part.name);
        if (definition === null || depth === DEFINITIONS_MAX) return [part];
        if (NEW_FILE.test(definition)) return [`${NEW}${part.name}`];
        return this.#written(shapeOf(definition), depth + 1);
      })
      .reduce<(string | Exclude<Shape[number], string>)[]>((joined, part) => {
        const last = joined.at(-1);
        if (typeof last === "string" && typeof part === "string") joined[joined.length - 1] = last + part;
        else joined.push(part);
        return joined;
      }, []);
  }
}
