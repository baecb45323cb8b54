import { TAKEN } from "../wire/request-id.ts";
import type { FrameId, Request, Response } from "./frame.ts";
import type { Answered, Peer } from "./peer.ts";
import { withMember } from "./splice.ts";
import { INTERNAL_ERROR } from "./wire-errors.ts";

/** The requests of one side that are on their way to the other. */
export class Forwards {
  readonly #from: Peer;
  readonly #to: Peer;
  readonly #gone: string;
  /** By the sender's id, as JSON, what it is called on the other side. */
  readonly #ids = new Map<string, number>();

  readonly #whenIdle: (() => void)[] = [];

  /** `gone`: what whoever waits is told once the other side is not there any more. */
  constructor(from: Peer, to: Peer, gone: string) {
    this.#from = from;
    this.#to = to;
    this.#gone = gone;
  }

  /** Null: it is free. Two requests under one id can't be told apart, so there are never two. */
  has(id: FrameId): boolean {
    return this.#ids.has(JSON.stringify(id));
  }

  /** Comes back when all that was asked has been answered. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ids.size === 0) resolve();
      else this.#whenIdle.push(resolve);
    });
  }

  /** What it is called on the other side; null = it is not on its way. */
  otherId(id: unknown): number | null {
    return this.#ids.get(JSON.stringify(id)) ?? null;
  }

  /** `text`: instead of the request's own. `heard`: looks at the answer before the sender gets it, and may give another. */
  request(
    { id, text: own }: Pick<Request, "id" | "text">,
    { text = own, heard }: { readonly text?: string; readonly heard?: (answer: Response) => string | null } = {},
  ): Promise<void> | void {
    const key = JSON.stringify(id);
    if (this.#ids.has(key)) return this.#from.refuse(id, TAKEN);
    if (this.#to.isFull) return this.#from.refuse(id, { code: INTERNAL_ERROR, message: "too many requests at a time" });
    const told = (answered: Answered) => {
      this.#ids.delete(key);
      if (this.#ids.size === 0) for (const tell of this.#whenIdle.splice(0)) tell();
      if (answered === null) return void this.#from.refuse(id, { code: INTERNAL_ERROR, message: this.#gone });
      const changed = heard?.(answered) ?? null;
      void this.#from.send(withMember(changed ?? answered.text, "id", key));
    };
    const asked = this.#to.request((otherId) => withMember(text, "id", String(otherId)), told);
    this.#ids.set(key, asked.id);
    return asked.taken;
  }
}
