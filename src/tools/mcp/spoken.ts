import type { UpstreamTool } from "../../domain/upstream.ts";
import { digestOfTool } from "./pinned.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import type { UpstreamFault } from "./upstream-fault.ts";

/** A connection with what its upstream offers on it now. */
export interface Spoken {
  readonly connection: UpstreamConnection;
  /** Of its tools, by the upstream's own names. */
  readonly digests: ReadonlyMap<string, string>;
  /** Of its prompts and resources, by their place. */
  readonly offered: ReadonlyMap<string, string>;
}

export const digestsOf = (listed: readonly UpstreamTool[]): ReadonlyMap<string, string> =>
  new Map(listed.map((one) => [one.name, digestOfTool(one)]));

export const closeOf = async (spoken: Spoken | UpstreamFault): Promise<void> => {
  if (!("code" in spoken)) await spoken.connection.close();
};
