import { el } from "./dom.ts";

/** Asks for the token. It goes to `given` and nowhere else: the form is never sent. */
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
      el("p", { role: "status" }, why),
      el("label", { for: "token" }, "Token", token),
      el("button", { type: "submit", class: "yes" }, "Open the console"),
      el(
        "p",
        { class: "quiet" },
        "The administrator's is in ",
        el("code", {}, "admin.token"),
        " of the state directory; ",
        el("code", {}, "toolgate serve"),
        " prints a link that holds it. It stays in this tab and is forgotten with it.",
      ),
    ),
  );
}
