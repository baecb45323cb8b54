import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../../domain/tool.ts";
import { visibleText } from "../../domain/visible.ts";

/**
 * Tells a client of progress, if it asked to be told. The number only grows, as the protocol wants; what comes while the
 * last ones are still being sent is left out, so that a program that prints much does not flood the client.
 */
export function progressTeller({ mcpReq }: ServerContext): (progress: Progress) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = -1;
  let onTheWay = 0;
  return ({ message, done, total }) => {
    if (onTheWay >= ON_THE_WAY_MAX) return;
    onTheWay++;
    last = done !== undefined && done > last ? done : last + SMALL_STEP;
    const params = {
      progressToken,
      progress: last,
      message: visibleText(message),
      ...(total !== undefined && { total }),
    };
    void mcpReq
      .notify({ method: "notifications/progress", params })
      .catch(() => {}) // who has gone is not told
      .finally(() => {
        onTheWay--;
      });
  };
}

/** For steps that count nothing. */
const SMALL_STEP = 1;
const ON_THE_WAY_MAX = 16;
