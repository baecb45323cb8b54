/** The borders between the steps of a call, in order. */
export type Border =
  | "received"
  | "resolved"
  | "validated"
  | "planned"
  | "judged"
  | "asked"
  | "answered"
  | "approved"
  /** Inside the transaction that writes a yes together with what it lets happen; then `answered` comes behind it. */
  | "writing"
  | "started"
  | "ran"
  | "finished"
  | "recorded";

/** Told at each border. Does nothing in the product; tests kill the process here. */
export interface Probe {
  readonly reached: (border: Border, callId: string) => void;
}
