import { compileConnectPattern } from "./connect-pattern.ts";

/** As `ports/egress.ts` has it; this folder knows no ports. */
interface Granted {
  readonly covers: (host: string, port: number) => boolean;
  readonly names: (host: string, port: number) => boolean;
}

/** What patterns of `connect` grant. One that does not compile grants nothing, and so does an empty list. */
export function connectGrant(patterns: readonly string[]): Granted {
  const compiled = patterns.map(compileConnectPattern).filter((pattern) => "matches" in pattern);
  const named = compiled.filter(({ isExact }) => isExact === true);
  return {
    covers: (host, port) => compiled.some(({ matches }) => matches(`${host}:${port}`)),
    names: (host, port) => named.some(({ matches }) => matches(`${host}:${port}`)),
  };
}
