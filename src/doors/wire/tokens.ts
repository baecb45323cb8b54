import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Session } from "../../domain/lease.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Sessions } from "../../wiring/gate.ts";
import type { User } from "../../wiring/settings.ts";
import type { Identity } from "./identity.ts";

export interface TokenParts {
  readonly adminToken: string;
  /** As they are now: whoever is taken out of the configuration is out at once. */
  readonly users: () => readonly User[];
  readonly sessions: Pick<Sessions, "check" | "find">;
  readonly nowMs: () => number;
}

interface Login {
  /** Whose it is, as long as they have the token that they logged in with. Never an agent's. */
  readonly of: "admin" | Pick<User, "name" | "tokenHash">;
  readonly expiresAtMs: number;
}

const LOGINS_MAX = 10_000;
/** Of one person: more browsers than that are nobody's, and would push out those of others. */
const LOGINS_OF_ONE_MAX = 100;
const COOKIE_BYTES = 32;

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");

/**
 * Whose a token is. Only hashes are compared: how long that takes tells nothing of a token that would fit.
 * Cookies are for browsers, whose `EventSource` can't send a header; they live in memory and end with the server.
 */
export class Tokens {
  readonly #parts: TokenParts;
  readonly #adminHash: Buffer;
  readonly #key = randomBytes(COOKIE_BYTES);
  readonly #logins = new Map<string, Login>();

  constructor(parts: TokenParts) {
    this.#parts = parts;
    this.#adminHash = sha256(parts.adminToken);
  }

  /** Whose it is, or why it is nobody's. */
  async identify(token: string, from: string): Promise<Identity | { readonly refusal: Refusal }> {
    const digest = sha256(token);
    if (timingSafeEqual(digest, this.#adminHash)) return ADMIN;
    const hex = digest.toString("hex");
    const user = this.#parts.users().find(({ tokenHash }) => tokenHash === hex);
    if (user) return identityOf(user, "token");
    const checked = await this.#parts.sessions.check(token, { from });
    return checked.kind === "open" ? agentOf(checked.session) : checked;
  }

  /**
   * A browser's way in: what its cookie holds, and what its requests that change something have to carry. Null: not for
   * them. INVARIANT (people only): an agent, or who came by a cookie, gets none.
   */
  login({ session, user, by }: Identity): { readonly cookie: string; readonly csrf: string } | null {
    const known = user === null ? "admin" : this.#parts.users().find(({ name }) => name === user);
    if (session !== null || by !== "token" || known === undefined) return null;
    const of = known === "admin" ? known : { name: known.name, tokenHash: known.tokenHash };
    this.#sweep(of);
    const cookie = randomBytes(COOKIE_BYTES).toString("base64url");
    this.#logins.set(cookie, { of, expiresAtMs: this.#parts.nowMs() + LIMITS.loginMs.default });
    return { cookie, csrf: this.csrfOf(cookie) };
  }

  /** Whether whoever was let in would be let in now: who listens for long is looked at again. */
  async isStill({ session, user, tokenHash, cookie }: Identity): Promise<boolean> {
    if (cookie !== undefined) return this.identifyCookie(cookie) !== null;
    if (session !== null) return (await this.#parts.sessions.find(session.id))?.state === "open";
    return user === null || this.#parts.users().some((known) => known.name === user && known.tokenHash === tokenHash);
  }

  logout(cookie: string): void {
    this.#logins.delete(cookie);
  }

  /** The roles are those of now, and not those of the login. */
  identifyCookie(cookie: string): Identity | null {
    const login = this.#logins.get(cookie);
    if (login === undefined || login.expiresAtMs <= this.#parts.nowMs()) return null;
    const { of } = login;
    if (of === "admin") return { ...ADMIN, by: "cookie", cookie };
    const user = this.#parts.users().find(({ name, tokenHash }) => name === of.name && tokenHash === of.tokenHash);
    return user ? { ...identityOf(user, "cookie"), cookie } : null;
  }

  csrfOf(cookie: string): string {
    return createHmac("sha256", this.#key).update(cookie).digest("base64url");
  }

  /** Makes room for one more of theirs. The oldest go first. */
  #sweep(of: Login["of"]): void {
    const nowMs = this.#parts.nowMs();
    const own = [...this.#logins].filter(([, login]) => nameOf(login.of) === nameOf(of)).map(([cookie]) => cookie);
    for (const cookie of own.slice(0, Math.max(0, own.length + 1 - LOGINS_OF_ONE_MAX))) this.#logins.delete(cookie);
    for (const [cookie, { expiresAtMs }] of this.#logins) {
      if (expiresAtMs <= nowMs || this.#logins.size >= LOGINS_MAX) this.#logins.delete(cookie);
    }
  }
}

/** No user is called so: theirs are in the configuration. */
const nameOf = (of: Login["of"]): string | null => (of === "admin" ? null : of.name);

const ADMIN: Identity = { actor: "admin", user: null, session: null, roles: ["admin"], by: "token" };

const agentOf = (session: Session): Identity => ({
  actor: `session:${session.id}`,
  user: null,
  session,
  roles: ["caller"],
  by: "token",
});

const identityOf = ({ name, roles, tokenHash }: User, by: Identity["by"]): Identity => ({
  actor: `user:${name}`,
  user: name,
  session: null,
  roles,
  tokenHash,
  by,
});
