import { bindSlots } from "../../../src/shell/bind-slots.ts";
import { parseTemplate } from "../../../src/shell/parse-template.ts";
import { unrollTemplate } from "../../../src/shell/unroll-template.ts";
import { arrived, CONTEXTS } from "./slot-contexts.ts";
import { boundRuns } from "./slots-in-bash.ts";

/** What did not arrive as it was, and what else there is to say of a context. */
export function wrongArrivals(name: string, values: readonly string[]) {
  const { arrived: got, commands, canary } = boundRuns(boundScript(CONTEXTS[name] as string), values);
  const wrong = values.filter((value, index) => !got[index]?.equals(Buffer.from(arrived(name, value))));
  return { wrong, arrivals: got.length, ways: new Set(commands).size, canary };
}

function boundScript(template: string): string {
  const parsed = parseTemplate(template);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const bound = bindSlots(unrollTemplate(parsed.template.nodes, { x: "" }));
  if (!bound.ok) throw new Error(`${template}: ${bound.why}`);
  return bound.script.text;
}
