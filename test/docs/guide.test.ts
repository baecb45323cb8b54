import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { needs } from "../support/parts.ts";
import { type StartedProgram, startProgram } from "../support/started-program.ts";
import { openSandpit, pattern, type Step, stepsIn } from "./document.ts";

const GUIDE = fileURLToPath(new URL("../../docs/guide/", import.meta.url));
const TYPESCRIPT = "../node_modules/@typescript/native/bin/tsc";
const TYPE_OPTIONS =
  "--noEmit --strict --skipLibCheck --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target esnext " +
  "--module nodenext --types node --allowImportingTsExtensions";
const pages = readdirSync(GUIDE).filter((name) => name !== "README.md");

let model: StartedProgram;
let environment: Record<string, string>;

needs("bash", "bwrap")("the guide", () => {
  beforeAll(async () => {
    model = startProgram("fake-model.ts", []);
    environment = JSON.parse(await model.line());
  });
  afterAll(() => model.ended());

  it.each(pages)("%s: every example does what it says", (page) => {
    using sandpit = openSandpit({ environment });
    const steps = stepsIn(readFileSync(GUIDE + page, "utf8"));
    expect(steps.filter(({ kind }) => kind === "command").length).toBeGreaterThan(2);
    for (const step of steps) {
      if (step.kind === "file") sandpit.put(step.name, step.text);
      else expect(sandpit.run(step.command), `$ ${step.command}`).toMatch(pattern(step.expected));
    }
  });

  it("has programs of good types, also by the types of the providers' packages", () => {
    using sandpit = openSandpit({ parts: "sources" });
    for (const page of pages) {
      for (const step of stepsIn(readFileSync(GUIDE + page, "utf8"))) {
        if (step.kind === "file" && step.name.endsWith(".ts")) sandpit.put(`${page}.${step.name}`, step.text);
      }
    }
    expect(sandpit.run(`node ${TYPESCRIPT} ${TYPE_OPTIONS} *.ts`)).toBe("");
  });

  it("has agent loops of less than 40 lines", () => {
    const loops = pages.flatMap((page) => stepsIn(readFileSync(GUIDE + page, "utf8"))).filter(isAgent);
    expect(loops).toHaveLength(6);
    for (const { text } of loops) expect(text.split("\n").length).toBeLessThan(40);
  });

  it("names every page", () => {
    const index = readFileSync(`${GUIDE}README.md`, "utf8");
    for (const page of pages) expect(index).toContain(`](${page})`);
  });
});

const isAgent = (step: Step): step is Extract<Step, { kind: "file" }> =>
  step.kind === "file" && step.name === "agent.ts";
