import { el } from "./dom.ts";
import { sentence } from "./shown.ts";

/** Asks for a token and calls `given` with it. The form itself is never sent. */
export function signIn(why: string, given: (token: string) => void): HTMLElement {
  const token = el("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false" });
  return el(
    "main",
    { class: "sign-in", id: "main" },
    el(
      "form",
      {
        on: {
          submit: (event) => {
            event.preventDefault();
            const value = token.value.trim();
            if (value !== "") given(value);
          },
        },
      },
      el("h1", {}, "Toolgate"),
      el("p", { role: "status" }, ...sentence(why)),
      el("label", { for: "token" }, "Token", token),
      el("button", { type: "submit", class: "yes" }, "Open the console"),
      el(
        "p",
        { class: "quiet" },
        "The administrator's token is in ",
        el("code", {}, "admin.token"),
        " of the state directory. ",
        el("code", {}, "toolgate serve --link"),
        ' prints a link that signs in once. This browser keeps a login of its own, never the token, and "Sign out" ends it.',
      ),
    ),
  );
}
