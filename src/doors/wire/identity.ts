/** Who makes a request, as far as the server has verified it. Nothing in it comes from a body. */
export interface Identity {
  /** As it stands in the ledger: `admin`, `user:ann`. */
  readonly actor: string;
  /** Null: the administrator. */
  readonly user: string | null;
  readonly roles: readonly string[];
  /** What proves it: a browser's cookie comes along by itself, a token does not. */
  readonly by: "token" | "cookie";
}

/** What a route asks of whoever uses it; `any` is anybody with a token. */
export type Access = "any" | "caller" | "approver" | "admin";

const hasRole = ({ roles }: Identity, role: string): boolean => roles.includes(role) || roles.includes("admin");

export const mayUse = (identity: Identity, access: Access): boolean => access === "any" || hasRole(identity, access);
