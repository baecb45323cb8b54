import type { Tool } from "../domain/call.ts";

/** Tools that are known only once somebody else was asked. */
export interface ToolSource {
  /** Those that are known now. */
  readonly tools: () => Iterable<Tool>;
  readonly find: (name: string) => Tool | undefined;
  /** Why a name may mean nothing, for whoever meant something by it. Null: nobody knows. */
  readonly whyUnknown: (name: string) => string | null;
  /** Comes back once everybody was asked who has to be. Null = that is so already. Never rejects. */
  readonly pending: () => Promise<void> | null;
  /** Called when `tools` has changed. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
}
