import { fileURLToPath } from "node:url";
import { isNoFileUrl } from "../../domain/file-url.ts";
import { isWithin } from "../../domain/is-within.ts";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { EVERYTHING, type Lease } from "../../domain/lease.ts";

/** How long a client may take to name its roots. */
export const ROOTS_MS = 5000;

const NONE: readonly string[] = [];

/**
 * Of a client that says that it has roots and does not name them. INVARIANT (never wider): whatever they are, nothing lies
 * outside of them, so nothing is what it may do; the next call asks again.
 */
export const UNTOLD: Lease = {
  ...EVERYTHING,
  ...{ id: "roots", tools: NONE, read: NONE, write: NONE, hosts: NONE, commands: NONE, models: NONE },
  narrow: {
    because: "the client says that it has roots and did not name them",
    hint: "the next call asks it again; a client that can't be asked must not say that it has roots",
  },
};

/** Of a client whose roots have changed, for what was asked under those of before: nothing, until it has named the new ones. */
export const MOVED: Lease = {
  ...UNTOLD,
  narrow: {
    because: "the client's roots have changed since, and it has not named the new ones yet",
    hint: "call it again: the client is asked for them then",
  },
};

/**
 * What a client may do that has named its roots: no more than they are. They only narrow, and what no rule allows stays so. Null:
 * they narrow nothing, because there are none or the whole workspace lies in one.
 */
export function leaseWithin(roots: readonly JsonValue[], workspace: string): Lease | null {
  if (roots.length === 0) return null;
  const paths = roots.flatMap(pathOf);
  if (paths.some((path) => isWithin(workspace, path))) return null;
  const scope = paths.flatMap((path) => [literal(path), `${literal(path)}/**`]);
  return {
    ...EVERYTHING,
    ...{ id: "roots", read: scope, write: scope },
    narrow: { because: "the client's roots don't hold it", hint: "open that folder in the client" },
  };
}

/** What is no folder of this machine is none of ours, and counts as a root with nothing in it. */
function pathOf(root: JsonValue): readonly string[] {
  try {
    return [fileURLToPath(String(isJsonObject(root) ? root["uri"] : "")).replace(/\/+$/, "")];
  } catch (error) {
    if (!isNoFileUrl(error)) throw error;
    return [];
  }
}

/** A root with a star in its name is that folder and no other. */
const literal = (path: string): string => path.replaceAll(/[*?[\]{}\\]/g, "\\$&");
