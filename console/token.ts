import { send } from "../src/client/request.ts";
import { ROUTES } from "../src/client/routes.ts";

const KEY = "toolgate.token";

/**
 * The one-time code of the link that was opened, or null. The address bar and the tab's history lose it at once.
 * A link with a token, as older servers printed it, is cleaned in the same way and signs nobody in.
 */
export function takeCode(): string | null {
  const [, name, value] = /^#(code|token)=([^&]*)$/.exec(location.hash) ?? [];
  if (name === undefined) return null;
  history.replaceState(null, "", `${location.pathname}#/questions`);
  return name === "code" && value !== undefined && /^[A-Za-z0-9_-]{1,128}$/.test(value) ? value : "";
}

/** The token of this tab's login, which the server ends with "Sign out". */
export const keptToken = (): string | null => sessionStorage.getItem(KEY);

/**
 * Exchanges a code or a person's token for the token of a login, and keeps only that. Throws what a request throws.
 * INVARIANT (nothing lasting): a browser stores no token that works after "Sign out".
 */
export async function logIn(proof: { readonly code: string } | { readonly token: string }): Promise<string> {
  const authorization = "code" in proof ? `Code ${proof.code}` : `Bearer ${proof.token}`;
  const settings = { url: location.origin, token: "" };
  const answer = await send(ROUTES.login, {}, settings, { headers: { Authorization: authorization } });
  const { token } = (await answer.json()) as { readonly token: string | null };
  if (token === null) throw new TypeError("the server gave no token for the login");
  sessionStorage.setItem(KEY, token);
  return token;
}

/** Ends the login at the server. The tab forgets it in any case. */
export async function logOut(): Promise<void> {
  const token = keptToken();
  forgetToken();
  if (token !== null) await send(ROUTES.logout, {}, { url: location.origin, token }, {});
}

export const forgetToken = (): void => sessionStorage.removeItem(KEY);
