import type { Carrier } from "./carrier.ts";
import { CARRIERS } from "./carriers.ts";
import { ENV } from "./read-env.ts";
import { XARGS } from "./read-xargs.ts";
import { MORE_CARRIERS } from "./starters.ts";

/** How a program starts the command that it is given; null = it is none of those that do. */
export function carrierOf(name: string): Carrier | null {
  if (name === "env") return ENV;
  if (name === "xargs") return XARGS;
  if (Object.hasOwn(MORE_CARRIERS, name)) return MORE_CARRIERS[name] as Carrier;
  return Object.hasOwn(CARRIERS, name) ? (CARRIERS[name] as Carrier) : null;
}
