import { hash, timingSafeEqual } from "node:crypto";
import type { Session } from "../../domain/lease.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { KeptLogins } from "../../wiring/admin-token.ts";
import type { Sessions } from "../../wiring/gate.ts";
import type { User } from "../../wiring/settings.ts";
import type { Identity } from "./identity.ts";
import { type Login, type LoginOwner, Logins } from "./logins.ts";
import type { RequestHeaders } from "./request-headers.ts";

export interface TokenParts {
  readonly adminToken: string;
  /** As they are now: whoever is taken out of the configuration is out at once. */
  readonly users: () => readonly User[];
  readonly sessions: Pick<Sessions, "check" | "find">;
  readonly nowMs: () => number;
  readonly logins?: KeptLogins | undefined;
}

/** What a browser gets for the token or code of a person. */
export interface OpenedLogin {
  /** Null: the browser came with the token of a login, and keeps it. */
  readonly token: string | null;
  readonly expiresAtMs: number;
  /** A `Set-Cookie` for one event stream. */
  readonly cookie: string;
}

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");

/** Whose a token is. Only hashes are compared: the time that it takes reveals nothing about a valid token. */
export class Tokens {
  readonly #parts: TokenParts;
  readonly #adminHash: Buffer;
  readonly #logins: Logins;

  constructor(parts: TokenParts) {
    this.#parts = parts;
    this.#adminHash = sha256(parts.adminToken);
    this.#logins = new Logins({ nowMs: parts.nowMs, kept: parts.logins });
  }

  /** The owner of a token, or the reason why it has none. */
  async identify(token: string, from: string): Promise<Identity | { readonly refusal: Refusal }> {
    const digest = sha256(token);
    if (timingSafeEqual(digest, this.#adminHash)) return ADMIN;
    const hex = digest.toString("hex");
    const user = this.#parts.users().find(({ tokenHash }) => tokenHash === hex);
    if (user) return identityOf(user, "token");
    const login = this.#logins.withToken(token);
    const owner = login === null ? null : this.#ownerOf(login.of);
    if (login !== null && owner !== null) return { ...owner, by: "login", login: login.id };
    const checked = await this.#parts.sessions.check(token, { from });
    return checked.kind === "open" ? agentOf(checked.session) : checked;
  }

  /** A code for a link to the console. INVARIANT (people only): an agent, and who came by a cookie, gets none. */
  newCode(identity: Identity): { readonly code: string; readonly expiresAtMs: number } | null {
    const of = this.#loginOwner(identity);
    return of === null || identity.by === "cookie" ? null : this.#logins.newCode(of);
  }

  /** The code of the administrator's link, which the server prints. */
  newAdminCode(): string {
    return this.#logins.newCode("admin").code;
  }

  /** Takes a code, which is good for one login. */
  identifyCode(code: string): Identity | null {
    const of = this.#logins.redeem(code);
    return of === null ? null : this.#ownerOf(of);
  }

  /** Logs a browser in. INVARIANT (people only): null for an agent, and for who came by a cookie. */
  login(identity: Identity): OpenedLogin | null {
    const of = this.#loginOwner(identity);
    if (of === null || identity.by === "cookie") return null;
    const known = identity.login === undefined ? null : this.#logins.find(identity.login);
    const { token, login } = known === null ? this.#logins.open(of) : { token: null, login: known };
    return { token, expiresAtMs: login.expiresAtMs, cookie: this.#logins.newCookie(login) };
  }

  /** Ends the login that was used; with another token of a person, all their logins. */
  logout(identity: Identity): void {
    const of = this.#loginOwner(identity);
    if (identity.login !== undefined) this.#logins.end(identity.login);
    else if (of !== null) this.#logins.endAllOf(of);
  }

  /** Whether somebody who was let in would be let in now. Long streams ask this again and again. */
  async isStill({ session, user, tokenHash, login }: Identity): Promise<boolean> {
    if (login !== undefined) return this.#identityOfLogin(this.#logins.find(login)) !== null;
    if (session !== null) return (await this.#parts.sessions.find(session.id))?.state === "open";
    return user === null || this.#parts.users().some((known) => known.name === user && known.tokenHash === tokenHash);
  }

  /** The person whose cookie a request carries, and uses up. Its roles are those of now. */
  identifyCookie(headers: RequestHeaders): Identity | null {
    return this.#identityOfLogin(this.#logins.takeCookie(headers));
  }

  #identityOfLogin(login: Login | null): Identity | null {
    const owner = login === null ? null : this.#ownerOf(login.of);
    return login === null || owner === null ? null : { ...owner, by: "cookie", login: login.id };
  }

  #loginOwner({ session, user }: Identity): LoginOwner | null {
    if (session !== null) return null;
    if (user === null) return "admin";
    const known = this.#parts.users().find(({ name }) => name === user);
    return known === undefined ? null : { name: known.name, tokenHash: known.tokenHash };
  }

  /** Null: the user was removed, or has another token than at the login. */
  #ownerOf(of: LoginOwner): Identity | null {
    if (of === "admin") return ADMIN;
    const user = this.#parts.users().find(({ name, tokenHash }) => name === of.name && tokenHash === of.tokenHash);
    return user === undefined ? null : identityOf(user, "token");
  }
}

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
