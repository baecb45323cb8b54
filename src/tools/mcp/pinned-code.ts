import type { CodeHashes, NamedProgram } from "../../domain/operator-code.ts";
import type { UpstreamSpec } from "../../domain/upstream.ts";
import { visibleLine } from "../../domain/visible.ts";
import type { Pin, Pins } from "../../ports/pins.ts";
import type { PinBook, PinBookParts, Shown } from "./pin-book.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

/** The name under which the code of an upstream is pinned, shown and accepted. */
const CODE = "code";

export const codeBook = (parts: Omit<PinBookParts, "holds" | "flags" | "onChange">): PinBookParts => ({
  ...parts,
  holds: "code",
  flags: () => () => [],
  onChange: () => {},
});

/** The files that an upstream is made of, as one pin. */
export class PinnedCode {
  readonly #spec: UpstreamSpec;
  readonly #book: PinBook;
  readonly #hashes: CodeHashes;

  constructor(spec: UpstreamSpec, book: PinBook, hashes: CodeHashes) {
    this.#spec = spec;
    this.#book = book;
    this.#hashes = hashes;
  }

  get pins(): Pins | null {
    return this.#book.pins;
  }

  accept(shown: readonly Shown[], by: string): Promise<readonly string[] | UpstreamFault> {
    return this.#book.accept(shown, by);
  }

  /** INVARIANT (pinned code): a program whose files are not those that were pinned is not started. */
  async whyHeldBack(): Promise<UpstreamFault | null> {
    const { name, way, grant } = this.#spec;
    if (way.kind !== "stdio") return null;
    const { command, args, cwd } = way;
    const program = { command, args, cwd, write: grant.write };
    const pinned = { name: CODE, book: this.#book, hashes: this.#hashes, accept: `toolgate mcp accept ${name}` };
    return await whyCodeHeldBack(program, pinned);
  }
}

/** How many files a message names. */
const NAMED_MAX = 5;

/**
 * Holds the code of a program against what was pinned of it, before it is started. Null: it is what a person has seen or
 * accepted, and the program may start. `accept` is the command that accepts it.
 */
export async function whyCodeHeldBack(
  program: NamedProgram,
  { name, book, hashes, accept }: { name: string; book: PinBook; hashes: CodeHashes; accept: string },
): Promise<UpstreamFault | null> {
  try {
    const files = await hashes(program);
    const isKnown = Object.hasOwn(book.pins ?? {}, name);
    if (Object.keys(files).length === 0 && !isKnown) return null;
    const unrecorded = await book.compare({ listed: [{ name, inputSchema: files }], malformed: [] }, []);
    if (unrecorded !== null) return unrecorded;
  } catch (cause) {
    // A file or the pins can't be read, so nobody knows whether its code is what was pinned.
    const why = cause instanceof Error ? cause.message : "no reason";
    return fault("BAD_RESPONSE", `its code can't be compared with what was pinned: ${visibleLine(why)}`);
  }
  const changed = changedFiles(pinOf(book.pins, name));
  if (changed.length === 0) return null;
  const named = changed.slice(0, NAMED_MAX).map((path) => `\`${visibleLine(path)}\``);
  const more = changed.length - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return fault("TOOL_CHANGED", `its code changed since it was pinned: ${list}`, `look at it, then \`${accept}\``);
}

const pinOf = (pins: Pins | null, name: string): Pin | undefined =>
  pins !== null && Object.hasOwn(pins, name) ? pins[name] : undefined;

/** Files and folders that are not what was pinned. Empty: all of them are. */
export function changedFiles(pin: Pin | undefined): readonly string[] {
  if (pin?.changed === undefined) return [];
  const [before, now] = [pin.definition.inputSchema, pin.changed.definition.inputSchema];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((path) => before[path] !== now[path])
    .sort();
}
