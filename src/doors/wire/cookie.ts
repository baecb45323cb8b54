import type { RequestHeaders } from "./request-headers.ts";

/** Its name, in browsers that keep it. */
const NAME = "toolgate";

/**
 * Scripts can't read it, other sites' pages can't send it, and it goes nowhere but here. Not `Secure`: the server speaks
 * plain HTTP to its own machine, and a proxy in front of it may add that.
 */
export const cookieHeader = (value: string, secondsMax: number): string =>
  `${NAME}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${secondsMax}`;

export function cookieOf(headers: RequestHeaders): string | null {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([name]) => name === NAME)?.[1] ?? null;
}
