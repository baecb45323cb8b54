import { Armed } from "./armed.ts";
import { el, fill } from "./dom.ts";

/** A button that does nothing before it was pressed twice, with half a second to read what it then says. */
export function twice(label: string, sure: string, act: () => void): HTMLButtonElement {
  let isAsked = false;
  const button = el("button", { type: "button", class: "no" }, label);
  const armed = new Armed([button]);
  const reset = () => {
    isAsked = false;
    fill(button, label);
  };
  button.addEventListener("click", () => {
    if (!armed.isReady) return;
    if (isAsked) {
      reset();
      act();
      return;
    }
    isAsked = true;
    fill(button, sure);
    armed.again();
  });
  button.addEventListener("blur", reset);
  return button;
}

export const more = (label: string, act: () => void): HTMLButtonElement =>
  el("button", { type: "button", class: "more", on: { click: act } }, label);
