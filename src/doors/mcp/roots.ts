import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/server";
import { isWithin } from "../../domain/is-within.ts";
import { EVERYTHING, type Lease } from "../../domain/lease.ts";

const ANSWER_MS = 5000;

/**
 * The lease of a client that has roots: no more than they are. They only narrow, and what no rule allows stays so; roots
 * that the whole workspace lies in narrow nothing. A client that does not tell them has asked for no narrowing.
 */
export async function leaseWithin(server: Pick<Server, "listRoots">, workspace: string): Promise<Lease> {
  const paths = await rootPaths(server);
  if (paths === null || paths.some((path) => isWithin(workspace, path))) return EVERYTHING;
  const scope = paths.flatMap((path) => [literal(path), `${literal(path)}/**`]);
  return { ...EVERYTHING, id: "roots", read: scope, write: scope };
}

/** Null: none are told. What is no folder of this machine is none of ours, and counts as a root with nothing in it. */
async function rootPaths(server: Pick<Server, "listRoots">): Promise<readonly string[] | null> {
  try {
    const { roots } = await server.listRoots({}, { timeout: ANSWER_MS });
    return roots.length === 0 ? null : roots.flatMap(({ uri }) => pathOf(uri));
  } catch {
    return null;
  }
}

function pathOf(uri: string): readonly string[] {
  try {
    return [fileURLToPath(uri).replace(/\/+$/, "")];
  } catch {
    return [];
  }
}

/** A root with a star in its name is that folder and no other. */
const literal = (path: string): string => path.replaceAll(/[*?[\]{}\\]/g, "\\$&");
