import type { Session } from "../../domain/lease.ts";

/** Who makes a request, as far as the server has verified it. Nothing in it comes from a body. */
export interface Identity {
  /** As it stands in the ledger: `admin`, `user:ann`, `session:…`. */
  readonly actor: string;
  /** Null: the administrator, or an agent. */
  readonly user: string | null;
  /** An agent's, by its token. It sees what is its own, and nothing else. */
  readonly session: Session | null;
  readonly roles: readonly string[];
  /** The hash of a user's token: who has another one now was somebody else. */
  readonly tokenHash?: string;
  /** The proof. `login`: the token of a browser's login. `cookie`: a cookie, which opens one event stream and nothing else. */
  readonly by: "token" | "login" | "cookie";
  /** The id of the login, for the last two: a login ends before its user does. */
  readonly login?: string;
}

/** What a route asks of whoever uses it: `any` is anybody with a token, `person` is anybody but an agent. */
export type Access = "any" | "person" | "caller" | "approver" | "executor" | "admin";

const hasRole = ({ roles }: Identity, role: string): boolean => roles.includes(role) || roles.includes("admin");

export function mayUse(identity: Identity, access: Access): boolean {
  if (access === "any") return true;
  return access === "person" ? identity.session === null : hasRole(identity, access);
}

/** INVARIANT (answering is not ruling): who may answer one question does not say by it how all others are answered. */
export const maySaveRules = (roles: readonly string[]): boolean => roles.includes("admin");
