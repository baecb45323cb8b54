import { hash, randomBytes } from "node:crypto";
import { LIMITS } from "../../domain/limits.ts";
import type { KeptLogins } from "../../wiring/admin-token.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** Who logged in: the administrator, or a user with the token that they had then. Never an agent. */
export type LoginOwner = "admin" | { readonly name: string; readonly tokenHash: string };

/** A browser's right to act for a person, until it signs out or the time is over. */
export interface Login {
  /** SHA-256 of the login's token. */
  readonly id: string;
  readonly of: LoginOwner;
  readonly expiresAtMs: number;
}

const LOGINS_MAX = 10_000;
/** A person has no more browsers than this; without a bound, one person's logins would push out those of others. */
const LOGINS_OF_ONE_MAX = 100;
const SECRET_BYTES = 32;
/** Long enough to open the link that was printed, short enough that a link in a history is worthless. */
const CODE_MS = 10 * 60_000;
const CODES_MAX = 1000;
/** A page opens its event stream right after its login. */
const COOKIE_MS = 60_000;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");
const idOf = (secret: string): string => hash("sha256", secret);

interface LoginsParts {
  readonly nowMs: () => number;
  /** Left out: logins end with the server. */
  readonly kept?: KeptLogins | undefined;
}

/**
 * Logins of browsers, the one-time codes that lead to them, and the cookies that open an event stream. The server holds
 * hashes only.
 * INVARIANT (once): a code and a cookie are removed by the request that uses them.
 */
export class Logins {
  readonly #parts: LoginsParts;
  readonly #logins = new Map<string, Login>();
  readonly #codes = new Map<string, Omit<Login, "id">>();
  readonly #cookies = new Map<string, { readonly login: string; readonly expiresAtMs: number }>();
  /** Cookies are shared by all ports of a host, so each server process has a name of its own for them. */
  readonly #cookieName = `toolgate-${randomBytes(8).toString("hex")}`;

  constructor(parts: LoginsParts) {
    this.#parts = parts;
    for (const [id, content] of parts.kept?.all() ?? []) {
      const login = loginFrom(id, content);
      if (login === null || login.expiresAtMs <= parts.nowMs()) parts.kept?.remove(id);
      else this.#logins.set(id, login);
    }
  }

  /** A code that `redeem` takes once. */
  newCode(of: LoginOwner): { readonly code: string; readonly expiresAtMs: number } {
    const code = newSecret();
    const expiresAtMs = this.#parts.nowMs() + CODE_MS;
    removeOver(this.#codes, CODES_MAX - 1, this.#parts.nowMs());
    this.#codes.set(idOf(code), { of, expiresAtMs });
    return { code, expiresAtMs };
  }

  /** The person that a code stands for. Null: the code is unknown, used or too old. */
  redeem(code: string): LoginOwner | null {
    const id = idOf(code);
    const found = this.#codes.get(id);
    this.#codes.delete(id);
    return found === undefined || found.expiresAtMs <= this.#parts.nowMs() ? null : found.of;
  }

  open(of: LoginOwner): { readonly token: string; readonly login: Login } {
    const nowMs = this.#parts.nowMs();
    const own = [...this.#logins.values()].filter((login) => isSameOwner(login.of, of));
    const surplus = own.slice(0, Math.max(0, own.length + 1 - LOGINS_OF_ONE_MAX));
    const over = [...this.#logins.values()].filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
    for (const { id } of [...surplus, ...over]) this.end(id);
    const [oldest] = this.#logins.keys();
    if (this.#logins.size >= LOGINS_MAX && oldest !== undefined) this.end(oldest);
    const token = newSecret();
    const login: Login = { id: idOf(token), of, expiresAtMs: nowMs + LIMITS.loginMs.default };
    this.#parts.kept?.put(login.id, JSON.stringify({ of, expiresAtMs: login.expiresAtMs }));
    this.#logins.set(login.id, login);
    return { token, login };
  }

  withToken(token: string): Login | null {
    return this.find(idOf(token));
  }

  find(id: string): Login | null {
    const login = this.#logins.get(id);
    return login === undefined || login.expiresAtMs <= this.#parts.nowMs() ? null : login;
  }

  end(id: string): void {
    this.#logins.delete(id);
    for (const [cookie, { login }] of this.#cookies) if (login === id) this.#cookies.delete(cookie);
    this.#parts.kept?.remove(id);
  }

  endAllOf(of: LoginOwner): void {
    for (const login of [...this.#logins.values()]) if (isSameOwner(login.of, of)) this.end(login.id);
  }

  /**
   * A `Set-Cookie` that opens one event stream of this server within a minute. Scripts can't read the cookie and pages of
   * other sites can't send it. Not `Secure`: the server speaks plain HTTP to its own machine.
   */
  newCookie({ id }: Login): string {
    const value = newSecret();
    removeOver(this.#cookies, LOGINS_MAX - 1, this.#parts.nowMs());
    this.#cookies.set(idOf(value), { login: id, expiresAtMs: this.#parts.nowMs() + COOKIE_MS });
    return `${this.#cookieName}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_MS / 1000}`;
  }

  /** Uses up the cookie that a request carries. Null: it carries no valid one of this server. */
  takeCookie(headers: RequestHeaders): Login | null {
    const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
    const value = pairs.find(([name]) => name === this.#cookieName)?.[1];
    if (value === undefined) return null;
    const id = idOf(value);
    const found = this.#cookies.get(id);
    this.#cookies.delete(id);
    return found === undefined || found.expiresAtMs <= this.#parts.nowMs() ? null : this.find(found.login);
  }
}

/** Removes what is over, then the oldest until `max` are left. A map keeps the order of insertion. */
function removeOver(map: Map<string, { readonly expiresAtMs: number }>, max: number, nowMs: number): void {
  for (const [key, { expiresAtMs }] of map) if (expiresAtMs <= nowMs || map.size > max) map.delete(key);
}

const isSameOwner = (a: LoginOwner, b: LoginOwner): boolean =>
  a === "admin" || b === "admin" ? a === b : a.name === b.name;

/** Null: the file does not hold a login, and is removed. */
function loginFrom(id: string, content: string): Login | null {
  try {
    const { of, expiresAtMs } = JSON.parse(content) as Partial<Login>;
    const isOwner = of === "admin" || (typeof of?.name === "string" && typeof of.tokenHash === "string");
    return isOwner && typeof expiresAtMs === "number" ? { id, of, expiresAtMs } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
