import type { RuleSource } from "../../src/rules/rule.ts";

/** `count` rules as a large project has them, of which two are about the file that the bench's tool reads. */
export function manyRules(count: number): readonly RuleSource[] {
  const others = Array.from({ length: count - 2 }, (_, n) => ruleAbout(n));
  return [
    { id: "read-workspace", effect: "allow", touch: { read: ["./**"] } },
    { id: "no-keys", effect: "deny", touch: { read: ["./**/.env"] } },
    ...others,
  ];
}

function ruleAbout(n: number): RuleSource {
  const id = `rule-${n}`;
  switch (n % 5) {
    case 0:
      return { id, effect: "allow", touch: { write: [`./packages/p${n}/**`] } };
    case 1:
      return {
        id,
        effect: "deny",
        touch: { read: [`./packages/p${n}/secrets/**`], write: [`./packages/p${n}/*.lock`] },
      };
    case 2:
      return { id, effect: "ask", tools: [`server_${n}_*`], touch: { read: ["./**"] } };
    case 3:
      return { id, effect: "deny", touch: { write: [`./generated-${n}/**`] }, when: 'risk == "HIGH"' };
    default:
      return { id, effect: "allow", touch: { connect: [`*.service-${n}.example:443`] } };
  }
}
