import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ASSETS } from "../../src/doors/console/assets.ts";

const FOLDER = fileURLToPath(new URL("../../console/", import.meta.url));
const sources = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => [name, readFileSync(`${FOLDER}${name}`, "utf8")] as const);

/** Ways by which a text becomes markup, script or an address that a browser goes to. */
const SINKS =
  /innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\b|new Function|javascript:|window\.open|location\.(assign|href\s*=)|createPolicy|importScripts/;

describe.each(sources)("console/%s", (name, text) => {
  it("makes no markup of texts", () => {
    expect(SINKS.exec(text)).toBeNull();
  });

  it("makes elements in one way only", () => {
    if (name !== "dom.ts")
      expect(/createElement|createTextNode|setAttributeNS|\.src\s*=|\.href\s*=|\.style\b/.exec(text)).toBeNull();
  });

  it("neither logs nor keeps anything beside the token and whether keys do something", () => {
    expect(/console\.(log|info|warn|error|debug)|localStorage|indexedDB|document\.cookie/.exec(text)).toBeNull();
    if (name !== "token.ts" && name !== "key-choice.ts") expect(text).not.toContain("sessionStorage");
  });
});

describe("what is sent of the console", () => {
  it("holds none of these either, also not out of what it shares with the gate", () => {
    const sent = ASSETS.map(({ lines }) => lines.join("\n")).join("\n");
    expect(SINKS.exec(sent)).toBeNull();
    expect(sent).not.toMatch(/node:|process\.env|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });
});
