import type { Socket } from "node:net";
import { addressKind } from "../../domain/address.ts";

/** By the loopback, or by an address that both ends share: then the folders that a client names are folders of ours. */
export function isOfThisMachine({
  remoteAddress: from,
  localAddress: to,
}: Pick<Socket, "remoteAddress" | "localAddress">): boolean {
  if (from === undefined) return false;
  return from === to || addressKind(from.replace(/^::ffff:/i, "")) === "loopback";
}
