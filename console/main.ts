import { openConsole } from "./open-console.ts";
import { signIn } from "./sign-in.ts";
import { forgetToken, keepToken, takeToken } from "./token.ts";

const NO_TOKEN = "Who looks here needs a token.";

let close: () => void = () => {};

/** The console where there is a token, and a question for one where there is none. */
function show(token: string | null, why: string): void {
  close();
  close = () => {};
  if (token !== null) {
    close = openConsole(token, (reason) => {
      forgetToken();
      show(null, reason);
    });
    return;
  }
  document.title = "Toolgate";
  const form = signIn(why, (given) => {
    keepToken(given);
    show(given, NO_TOKEN);
  });
  document.body.replaceChildren(form);
  form.querySelector("input")?.focus();
}

// A link with another token, opened in this very tab, only changes the part of the address behind the `#`.
window.addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) show(takeToken(), NO_TOKEN);
});
show(takeToken(), NO_TOKEN);
