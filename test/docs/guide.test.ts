import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { needs } from "../support/parts.ts";
import { openSandpit, pattern, stepsIn } from "./document.ts";

const GUIDE = fileURLToPath(new URL("../../docs/guide/", import.meta.url));
const pages = readdirSync(GUIDE).filter((name) => name !== "README.md");

needs("bash")("the guide", () => {
  it.each(pages)("%s: every example does what it says", (page) => {
    using sandpit = openSandpit();
    const steps = stepsIn(readFileSync(GUIDE + page, "utf8"));
    expect(steps.filter(({ kind }) => kind === "command").length).toBeGreaterThan(2);
    for (const step of steps) {
      if (step.kind === "file") sandpit.put(step.name, step.text);
      else expect(sandpit.run(step.command), `$ ${step.command}`).toMatch(pattern(step.expected));
    }
  });

  it("names every page", () => {
    const index = readFileSync(`${GUIDE}README.md`, "utf8");
    for (const page of pages) expect(index).toContain(`](${page})`);
  });
});
