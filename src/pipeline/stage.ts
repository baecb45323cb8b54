import type { Step } from "../domain/call.ts";
import type { Now } from "../domain/now.ts";

/**
 * A stage takes the previous state of a call and returns the next, or refuses. It asks only for the ports it uses,
 * changes nothing it was given, and does not throw for what is expected.
 */
export type Stage<In, Out, Ports> = (call: In, ports: Ports, signal: AbortSignal) => Now<Step<Out>>;

/** A stage that asks nothing of the world that takes time. */
export type SyncStage<In, Out, Ports> = (call: In, ports: Ports) => Step<Out>;
