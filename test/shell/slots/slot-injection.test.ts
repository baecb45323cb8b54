import { describe, expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { CONTEXTS, FORKS, pasted, pastedInQuotes } from "./slot-contexts.ts";
import { PAYLOADS, VALUES } from "./slot-values.ts";
import { commandsRun } from "./slots-in-bash.ts";
import { wrongArrivals } from "./wrong-arrivals.ts";

needs(
  "bwrap",
  "bash",
  "timeout",
)("values in slots, in real bash", () => {
  for (const name of Object.keys(CONTEXTS)) {
    // All of them in `slot-injection.deep.ts`.
    const each = FORKS.has(name) ? 200 : 8;
    const values = VALUES.filter((_, index) => index < 40 || index % each === 0);
    it(`arrive byte for byte and run nothing: ${name}`, () => {
      expect(wrongArrivals(name, values)).toEqual({ wrong: [], arrivals: values.length, ways: 1, canary: false });
    });
  }

  describe.skipIf(PAYLOADS.length === 0)("and not in them", () => {
    const sample = PAYLOADS.filter((_, index) => index % 90 === 0);
    const templates = ["bare", "in double quotes", "in single quotes", "in a heredoc"].map(
      (name) => CONTEXTS[name] as string,
    );
    for (const [name, paste] of Object.entries({ pasted, pastedInQuotes })) {
      it(`fire in more than a fifth of the cases where they are ${name}`, () => {
        const plain = commandsRun(templates.map((template) => paste(template, "plain")));
        const fired = templates.map((template, at) => {
          const runs = commandsRun(sample.map((payload) => paste(template, payload)));
          return runs.filter((commands) => commands > (plain[at] as number)).length;
        });
        const all = sample.length * templates.length;
        expect(fired.reduce((sum, one) => sum + one, 0) / all).toBeGreaterThan(0.2);
      });
    }
  });
});
