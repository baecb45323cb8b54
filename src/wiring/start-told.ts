import type { Probe } from "../ports/probe.ts";

/** A probe that tells of the start of a call, too. */
export const startTold = (probe: Probe, onStarted: () => void): Probe => ({
  reached: (border, callId) => {
    probe.reached(border, callId);
    if (border === "started") onStarted();
  },
});
