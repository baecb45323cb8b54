import type { GovernorSpec, GovernorWay } from "../../domain/governor-spec.ts";
import { type CodeHashes, governorProgram } from "../../domain/operator-code.ts";
import type { UpstreamSpec } from "../../domain/upstream.ts";
import type { Pin } from "../../ports/pins.ts";
import { PinBook, type PinBookParts, type Shown } from "../mcp/pin-book.ts";
import { codeBook, whyCodeHeldBack } from "../mcp/pinned-code.ts";
import type { UpstreamFault } from "../mcp/upstream-fault.ts";

type ScriptSpec = GovernorSpec & { readonly way: Extract<GovernorWay, { kind: "script" }> };

/** What comes before the id of a governor where upstreams are named as well. No upstream has a colon in its name. */
export const GOVERNOR_PREFIX = "governor:";

export interface GovernorCodeParts extends Pick<PinBookParts, "clock" | "pins" | "note"> {
  readonly codeHashes: CodeHashes;
  readonly workspace: string;
}

/** The code of script governors, pinned like that of upstreams: one pin for each, by its id. */
export class GovernorCode {
  readonly #parts: GovernorCodeParts;
  readonly #book: PinBook;

  constructor(parts: GovernorCodeParts) {
    this.#parts = parts;
    this.#book = new PinBook(codeBook({ ...parts, upstream: "_governors", onFault: () => {} }));
  }

  /** INVARIANT (pinned code): a governor whose files are not those that were pinned is not asked, so a person is. */
  async whyHeldBack({ id, way }: Pick<ScriptSpec, "id" | "way">): Promise<UpstreamFault | null> {
    const { codeHashes: hashes, workspace } = this.#parts;
    const pinned = { name: id, book: this.#book, hashes, accept: `toolgate mcp accept ${GOVERNOR_PREFIX}${id}` };
    return await whyCodeHeldBack(governorProgram(way, workspace), pinned);
  }

  /** Null: it was never asked, or none of its files are known. */
  pinOf(id: string): Pin | null {
    const { pins } = this.#book;
    return pins !== null && Object.hasOwn(pins, id) ? (pins[id] ?? null) : null;
  }

  accept(shown: readonly Shown[], by: string): Promise<readonly string[] | UpstreamFault> {
    return this.#book.accept(shown, by);
  }
}

/** A governor as commands show upstreams. */
export const shownAsUpstream = ({ id, way, timeoutMs }: ScriptSpec, cwd: string): UpstreamSpec => {
  const { command, args } = governorProgram(way, cwd);
  return {
    name: `${GOVERNOR_PREFIX}${id}`,
    prefix: "",
    way: { kind: "stdio", command, args, cwd, env: {} },
    missing: [],
    grant: way.grant,
    touches: {},
    trust: null,
    timeoutMs,
    connection: "shared",
  };
};
