import { el, fill } from "./dom.ts";
import type { Connection } from "./live.ts";

export interface ConnectionSign {
  readonly element: HTMLElement;
  readonly show: (connection: Connection) => void;
}

/** Says whether what is on the screen is what is. */
export function connectionSign(retryNow: () => void): ConnectionSign {
  const words = el("span");
  const now = el("button", { type: "button", class: "plain retry", on: { click: retryNow } }, "try now");
  const element = el("div", { class: "connection", role: "status" }, words, now);
  now.hidden = true;
  return {
    element,
    show: ({ kind }) => {
      element.dataset["state"] = kind;
      now.hidden = kind !== "lost";
      fill(words, WORDS[kind]);
    },
  };
}

const WORDS = {
  connecting: "connecting …",
  open: "live",
  lost: "Connection lost: this is how it was. Trying again.",
} as const satisfies Record<Connection["kind"], string>;
