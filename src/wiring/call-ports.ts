import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import type { Probe } from "../ports/probe.ts";
import { bothTold } from "./both-told.ts";
import type { CallOptions } from "./gate-call.ts";
import type { GateParts } from "./gate-parts.ts";

/** The ports of one call: those of all calls, where nobody wants to hear more of it or be asked about it. */
export function callPorts(
  { desk, ports }: Pick<GateParts, "desk" | "ports">,
  { onProgress, onStarted, approver }: CallOptions,
): PipelinePorts {
  if (!onProgress && !onStarted && !approver) return ports;
  return {
    ...ports,
    progress: onProgress ? bothTold(ports.progress, onProgress) : ports.progress,
    probe: onStarted ? startTold(ports.probe, onStarted) : ports.probe,
    desk: approver ? desk.asking(approver) : ports.desk,
  };
}

/** A probe that tells of the start of a call, too. */
const startTold = (probe: Probe, onStarted: () => void): Probe => ({
  reached: (border, callId) => {
    probe.reached(border, callId);
    if (border === "started") onStarted();
  },
});
