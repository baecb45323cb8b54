import { type JSONRPCMessage, ProtocolError, type Transport } from "@modelcontextprotocol/server";
import { INVALID_PARAMS } from "./wire-errors.ts";

/** Until 2025-11-25: a resource that is not there. Since then it is a parameter like any other. */
const RESOURCE_NOT_FOUND = -32_002;
const NOT_THERE = "there is no resource of this address";

export const notThere = (uri: string): ProtocolError => new ProtocolError(INVALID_PARAMS, NOT_THERE, { uri });

/** Has a connection of 2025 say what its revision says. The SDK itself sends the code of 2026-07-28 in both eras. */
export function withOldCodes(transport: Transport, isOld: () => boolean): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(isOld() ? inOldCodes(message) : message, options);
}

function inOldCodes(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  const isNotThere = error.code === INVALID_PARAMS && error.message === NOT_THERE;
  return isNotThere ? { ...message, error: { ...error, code: RESOURCE_NOT_FOUND } } : message;
}
