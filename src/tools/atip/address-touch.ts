import type { Touch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";

const PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ws", 80],
  ["wss", 443],
  ["ftp", 21],
  ["ssh", 22],
  ["git", 9418],
]);

/** Where a program is told to connect to. What is no address of a host is something that nobody here can read. */
export function addressTouch(address: string): Touch {
  const url = URL.canParse(address) ? new URL(address) : null;
  const scheme = url?.protocol.slice(0, -1) ?? "";
  const port = Number(url?.port || PORTS.get(scheme) || 0);
  if (url === null || url.hostname === "" || port === 0)
    return { kind: "unknown", reason: `it can't be told where ${quoted(address)} leads` };
  const host = url.hostname
    .toLowerCase()
    .replaceAll(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return { kind: "connect", host, port, scheme };
}
