import { ProblemError } from "../src/client/problem-error.ts";
import { openConsole } from "./open-console.ts";
import { problemInWords } from "./problem-words.ts";
import { signIn } from "./sign-in.ts";
import { forgetToken, keptToken, logIn, logOut, takeCode } from "./token.ts";

const NO_TOKEN = "The console needs a token.";
const REFUSED = "The server does not accept this token.";
const LINK_OVER = "This link was used before, or is too old. `toolgate serve --link` prints a new one.";
const UNREACHABLE =
  "Signed out here. The server could not be reached, so it ends the login only when its time is over.";

let close: () => void = () => {};

/** The console for a login, and the sign-in form without one. */
function show(token: string | null, why: string): void {
  close();
  close = () => {};
  if (token !== null) {
    close = openConsole(token, {
      refused: (reason) => {
        forgetToken();
        show(null, reason);
      },
      signOut: () => {
        show(null, "Signed out.");
        // A refusal means that the login had ended already.
        logOut().catch((error: unknown) => {
          if (!(error instanceof ProblemError)) show(null, UNREACHABLE);
        });
      },
    });
    return;
  }
  document.title = "Toolgate";
  const form = signIn(why, (given) => {
    logIn({ token: given }).then(
      (login) => show(login, NO_TOKEN),
      (error: unknown) => show(null, isUnknown(error) ? REFUSED : problemInWords(error)),
    );
  });
  document.body.replaceChildren(form);
  form.querySelector("input")?.focus();
}

const isUnknown = (error: unknown): boolean => error instanceof ProblemError && error.status === 401;

function openLink(code: string): void {
  logIn({ code }).then(
    (login) => show(login, NO_TOKEN),
    // A tab that is signed in stays so: the link adds nothing to it.
    (error: unknown) => show(keptToken(), isUnknown(error) ? LINK_OVER : problemInWords(error)),
  );
}

// A link that is opened in this very tab only changes the part of the address behind the `#`.
window.addEventListener("hashchange", () => {
  const code = takeCode();
  if (code !== null) openLink(code);
});
const code = takeCode();
if (code === null) show(keptToken(), NO_TOKEN);
else openLink(code);
