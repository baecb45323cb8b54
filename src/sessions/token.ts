import { createHash, timingSafeEqual } from "node:crypto";

const PREFIX = "tgs_";
const ID_PREFIX = "session_";
/** 256 bits in base64url, behind the id of the session that they open. */
const TOKEN = /^tgs_([0-9A-Za-z_-]{1,128})\.[0-9A-Za-z_-]{43}$/;

/** For the session of this id, which begins with `session_`. The id is no secret; the 32 random bytes are. */
export const tokenFrom = (sessionId: string, secret: Buffer): string =>
  `${PREFIX}${sessionId.slice(ID_PREFIX.length)}.${secret.toString("base64url")}`;

/** Which session a token claims to open; null = it is none. */
export function sessionOfToken(token: string): string | null {
  const rest = TOKEN.exec(token)?.[1];
  return rest === undefined ? null : `${ID_PREFIX}${rest}`;
}

/** The token has more chance in it than the hash has length, so it needs neither salt nor many rounds. */
export const hashOfToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** What a token is compared with where there is no session: saying no takes as long as ever. */
const NO_TOKEN: Uint8Array = new Uint8Array(32);

/** INVARIANT (constant time): how long it takes does not depend on what is right of the token. */
export function isToken(token: string, hash: Uint8Array | null): boolean {
  const isSame = timingSafeEqual(hashOfToken(token), hash?.length === NO_TOKEN.length ? hash : NO_TOKEN);
  return isSame && hash !== null;
}
