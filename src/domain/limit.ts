/** A number somebody may set: where it may lie, and why. */
export interface Limit {
  readonly unit: "bytes" | "ms" | "codepoints" | "count";
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly because: string;
}
