import type { Tool } from "../../domain/call.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Sandbox } from "../../ports/sandbox.ts";

/**
 * Never without a sandbox: a program that is not held in is no tool. It is planned, judged and explained all the same.
 * Asked anew each time, since nobody looks for the sandbox before it is needed.
 */
export function withSandbox<Input extends object>(
  tool: Tool<Input>,
  sandbox: Sandbox,
  more: () => Refusal | null = () => null,
): Tool<Input> {
  return Object.defineProperty({ ...tool }, "unavailable", {
    enumerable: true,
    get: (): Refusal | undefined => {
      const missing = sandbox.missing();
      return missing === null ? (more() ?? undefined) : { ...missing, stage: "execute" };
    },
  });
}
