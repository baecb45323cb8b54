import type { Risk } from "../domain/call.ts";
import { isFileTouch, type Touch, type TouchKind } from "../domain/touch.ts";
import { commandRisk } from "./command-risk.ts";

/** How much a touch can harm, before any rule is asked. An input to rules and questions, never a decision. */
const RISK = {
  read: "LOW",
  write: "MEDIUM",
  delete: "HIGH",
  connect: "MEDIUM",
  git: "MEDIUM",
  model: "MEDIUM",
  tool: "MEDIUM",
  unknown: "HIGH",
} as const satisfies Record<Exclude<TouchKind, "exec">, Risk>;

const ORDER = { LOW: 0, MEDIUM: 1, HIGH: 2 } as const satisfies Record<Risk, number>;

/** Files that the machine loads, runs or installs. The list is the S-FLOW seed's. */
const HIGH_ENDING = /\.(?:exe|bin|so|dll|dylib|sys|drv|conf|config|app|deb|rpm|msi)$/i;

export function riskOf(touches: readonly Touch[]): Risk {
  let risk: Risk = "LOW";
  for (const touch of touches) {
    const own = riskOfTouch(touch);
    if (ORDER[own] > ORDER[risk]) risk = own;
  }
  return risk;
}

function riskOfTouch(touch: Touch): Risk {
  if (touch.kind === "exec") return commandRisk(touch);
  if (isFileTouch(touch) && touch.own === true) return "LOW";
  return touch.kind === "write" && HIGH_ENDING.test(touch.path) ? "HIGH" : RISK[touch.kind];
}
