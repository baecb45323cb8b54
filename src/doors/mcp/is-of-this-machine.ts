import { addressKind } from "../../domain/address.ts";

/** Of a connection; undefined = it is gone, or has none. */
interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
}

/** By the loopback, or by an address that both ends share: then the folders that a client names are folders of ours. */
export function isOfThisMachine({ remoteAddress: from, localAddress: to }: Ends): boolean {
  if (from === undefined) return false;
  return from === to || addressKind(from.replace(/^::ffff:/i, "")) === "loopback";
}
