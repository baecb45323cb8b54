const KEY = "toolgate.token";

/**
 * The token of this tab: out of the address, or the one that was there before. It leaves the address bar and the tab's own history at
 * once, and is kept where other tabs and the next start of the browser don't find it. Null: there is none.
 */
export function takeToken(): string | null {
  const given = /^#token=([A-Za-z0-9._~+/=-]{1,512})$/.exec(location.hash)?.[1];
  if (location.hash.startsWith("#token=")) history.replaceState(null, "", `${location.pathname}#/questions`);
  if (given !== undefined) keepToken(given);
  return given ?? sessionStorage.getItem(KEY);
}

export const keepToken = (token: string): void => sessionStorage.setItem(KEY, token);

export const forgetToken = (): void => sessionStorage.removeItem(KEY);
