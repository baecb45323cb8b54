import type { Tool } from "../../domain/call.ts";
import type { ModelProvider } from "../../domain/model-provider.ts";
import { type InferPorts, inferTool } from "./inference/infer.ts";

export interface InferenceToolPorts extends InferPorts {
  /** None = there is no `infer`. */
  readonly providers: readonly ModelProvider[];
}

/** The group `inference` of the built-in tools. */
export function inferenceTools({ providers: [first, ...rest], ...ports }: InferenceToolPorts): readonly Tool[] {
  return first === undefined ? [] : [inferTool([first, ...rest], ports)];
}
