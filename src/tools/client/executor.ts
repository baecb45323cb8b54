import type { JsonObject } from "../../domain/json.ts";

/** A connected client that runs tools itself. Who it is, the server has verified; what it can run, it says. */
export interface Executor {
  /** As it stands in the ledger. */
  readonly actor: string;
  /** Names of tools. Null = all of them. */
  readonly tools: ReadonlySet<string> | null;
  /** Only calls of this session. Undefined = of all. */
  readonly sessionId?: string | undefined;
  /** Whether it says that it begins before it does. What is sent to one that does not counts as begun. */
  readonly acknowledges: boolean;
  /** By the rights of now. */
  readonly isAllowed: () => boolean;
  readonly tell: (name: string, data: JsonObject) => void;
}
