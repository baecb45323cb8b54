import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Malformed } from "./malformed.ts";
import { type ListedKind, nameIn, whyMalformed } from "./why-malformed.ts";

const LISTS: ReadonlyMap<unknown, { readonly kind: ListedKind; readonly member: string }> = new Map([
  ["tools/list", { kind: "tools", member: "tools" }],
  ["prompts/list", { kind: "prompts", member: "prompts" }],
  ["resources/list", { kind: "resources", member: "resources" }],
  ["resources/templates/list", { kind: "templates", member: "resourceTemplates" }],
]);

/**
 * Takes what is malformed out of an upstream's lists before the SDK reads them: it takes a list as a whole or not at all, and
 * one bad tool would take all others away. An answer that is no list is left as it is, for the SDK to refuse.
 */
export class ListFilter {
  /** By number, as the SDK tells answers apart: it takes one to "5" for one to 5. */
  readonly #asked = new Map<number, ListedKind>();
  readonly #found = new Map<ListedKind, Malformed[]>();
  readonly #sums = new Map<ListedKind, Sum>();
  readonly #isOld: () => boolean;

  /** To be made before the SDK connects: it hears what was heard before it. */
  constructor(transport: Transport, isOld: () => boolean) {
    this.#isOld = isOld;
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#note(message);
      return send(message, options);
    };
    transport.onmessage = (message) => this.#clean(message);
  }

  /** A list begins anew: what an earlier one left behind, which broke off, is not of this one. */
  forget(): void {
    this.#found.clear();
    this.#sums.clear();
  }

  /** What was left out since it was last asked for. Throws where it was more than anybody would keep. */
  taken(kind: ListedKind): readonly Malformed[] {
    const found = this.#found.get(kind) ?? [];
    const sum = this.#sums.get(kind);
    this.#found.delete(kind);
    this.#sums.delete(kind);
    if (sum !== undefined && isTooMuch(sum)) throw new RangeError(tooMuch(kind, sum));
    return found;
  }

  #note(message: JSONRPCMessage): void {
    const { method, id } = message as { readonly method?: unknown; readonly id?: unknown };
    const list = LISTS.get(method);
    if (list !== undefined && id !== undefined) this.#asked.set(Number(id), list.kind);
  }

  #clean(message: JSONRPCMessage): void {
    const { id, method, result } = message as { readonly [name: string]: unknown };
    const kind = method === undefined ? this.#asked.get(Number(id)) : undefined;
    if (kind === undefined) return;
    this.#asked.delete(Number(id));
    const member = [...LISTS.values()].find((list) => list.kind === kind)?.member ?? kind;
    const listed = isJsonObject(result as JsonValue) ? (result as Record<string, JsonValue>) : {};
    const items = listed[member];
    if (!Array.isArray(items)) return;
    listed[member] = this.#room(kind, items).filter((item) => this.#isGood(kind, item));
    // INVARIANT (no more than fits): of one that goes on and on, no further page is asked for, and none is kept.
    if (isTooMuch(this.#sumOf(kind))) Object.assign(listed, { [member]: [], nextCursor: undefined });
  }

  /** What is looked at: nothing, once there are too many. */
  #room(kind: ListedKind, items: readonly JsonValue[]): readonly JsonValue[] {
    const sum = this.#sumOf(kind);
    sum.items += items.length;
    return isTooMuch(sum) ? [] : items.map(withoutUnused);
  }

  #sumOf(kind: ListedKind): Sum {
    const sum = this.#sums.get(kind) ?? { items: 0, length: 0 };
    this.#sums.set(kind, sum);
    return sum;
  }

  #isGood(kind: ListedKind, item: JsonValue): boolean {
    const because = whyMalformed(kind, item) ?? (this.#isOld() ? whyNotOld(kind, item) : null);
    const sum = this.#sumOf(kind);
    if (because === null) {
      sum.length += JSON.stringify(item).length;
      return !isTooMuch(sum);
    }
    const found = this.#found.get(kind) ?? [];
    found.push({ name: nameIn(kind, item), because });
    this.#found.set(kind, found);
    return false;
  }
}

/** Of all pages of a list. */
interface Sum {
  items: number;
  /** Of what is kept. */
  length: number;
}

const { upstreamTools, upstreamListBytes } = LIMITS;

const isTooMuch = ({ items, length }: Sum): boolean =>
  items > upstreamTools.default || length > upstreamListBytes.default;

const tooMuch = (kind: ListedKind, { items }: Sum): string =>
  items > upstreamTools.default
    ? `it offers more than ${upstreamTools.default} ${kind}`
    : `its ${kind} have more than ${upstreamListBytes.default} characters together`;

/** What nobody here looks at can't be wrong with it. */
const UNUSED: ReadonlySet<string> = new Set(["execution", "icons", "_meta"]);

const withoutUnused = (item: JsonValue): JsonValue =>
  isJsonObject(item) ? Object.fromEntries(Object.entries(item).filter(([name]) => !UNUSED.has(name))) : item;

/** Until 2025-11-25 a tool promises an object or nothing. */
function whyNotOld(kind: ListedKind, item: JsonValue): string | null {
  const output = kind === "tools" && isJsonObject(item) ? item["outputSchema"] : undefined;
  return isJsonObject(output ?? null) && (output as Record<string, JsonValue>)["type"] !== "object"
    ? "its output schema is not that of an object (`type: object`)"
    : null;
}
