// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { expect, it } from "vitest";
import { openScriptGate, param } from "../script/script-gate.ts";

it("names what is doubtful about script tools", async () => {
  await using scratch = openScriptGate(
    {
      bad: {
        script: 'no-such-program {{x}}; echo "$(ls)" > "$OUT/x"',
        data_for: ["no-such-program"],
        parameters: [param("x", { pattern: "^a" }), param("y", { description: "said" })],
        sandbox: { environment_variables: { API_KEY: "sk-1234567890", MODE: "fast", TOKEN: "${secret:T}" } },
        caching: { enabled: true, key_template: "{{x}}" },
      },
      good: { description: "prints", script: "echo {{x}}", parameters: [param("x", { description: "said" })] },
    },
    { variables: { T: "from-the-environment" } },
  );
  const problems = (await scratch.gate.checkTools()).filter(({ rule }) => rule !== "unclaimed");
  expect(problems.filter(({ tool }) => tool === "good")).toEqual([]);
  expect(problems.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
    "inputSchema.properties.x undescribed",
    "description missing",
    "parameters.x.pattern open",
    "sandbox.environment_variables.API_KEY SECRET_INLINE",
    "caching.key_template incomplete",
    "script program",
    "script unknown",
  ]);
  expect(problems.find(({ rule }) => rule === "program")?.message).toContain("`no-such-program`");
});

it("looks for the programs of a tool that loads only by what its parameters say", async () => {
  await using scratch = openScriptGate({
    dashes: {
      description: "prints",
      script: 'v={{x}}; no-such-program "${v#a}"',
      data_for: ["no-such-program"],
      parameters: [param("x", { description: "said", allow_dash: true })],
    },
  });
  const rules = (await scratch.gate.checkTools()).map(({ rule }) => rule);
  expect(rules).toContain("program");
});
