import { describe, expect, it } from "vitest";
import type { Content, Outcome } from "../../src/domain/outcome.ts";
import { outcomeAsText, shownOutcome } from "../../src/formats/shown-content.ts";
import { completed, failed } from "./some-tools.ts";

const text = (words: string) => ({ kind: "text", text: words });
const PNG: Content = { type: "image", mediaType: "image/png", data: "aGVsbG8=" };

describe("content for a model", () => {
  it.each<[string, Outcome, readonly unknown[]]>([
    ["a text", completed({ type: "text", text: "a" }), [text("a")]],
    ["a diff", completed({ type: "diff", path: "a", diff: "-a\n+b", newText: "b" }), [text("-a\n+b")]],
    ["an image", completed(PNG), [{ kind: "image", mediaType: "image/png", data: "aGVsbG8=" }]],
    [
      "an image of another kind",
      completed({ ...PNG, mediaType: "image/svg+xml" }),
      [text("[image, image/svg+xml, 5 bytes, can't be shown here]")],
    ],
    ["a resource", completed({ type: "resource", uri: "file:///a", text: "t" }), [text("[file:///a]\nt")]],
    [
      "a resource that is an image",
      completed({ type: "resource", uri: "u", mediaType: "image/gif", blob: "aGVsbG8=" }),
      [{ kind: "image", mediaType: "image/gif", data: "aGVsbG8=" }],
    ],
    [
      "a resource of bytes",
      completed({ type: "resource", uri: "u", blob: "aGVsbA==" }),
      [text("[resource u, application/octet-stream, 4 bytes, can't be shown here]")],
    ],
    ["a resource of nothing", completed({ type: "resource", uri: "u" }), [text("[u]")]],
    ["an empty text", completed({ type: "text", text: "" }), [text("(no output)")]],
    ["nothing", completed(), [text("(no output)")]],
    ["what failed", failed(), [text("half of it"), text("The tool ran and failed (TOOL_FAILED): it broke.")]],
  ])("%s", (_, outcome, shown) => {
    expect(shownOutcome(outcome, "shown")).toEqual(shown);
  });

  it("is what is structured where there is nothing else", () => {
    const outcome = { ...completed(), structured: { a: [1] } } as Outcome;
    expect(outcomeAsText(outcome)).toBe('{"a":[1]}');
  });

  it("as one text describes images, and keeps the order", () => {
    expect(outcomeAsText(completed({ type: "text", text: "a" }, PNG, { type: "text", text: "b" }))).toBe(
      "a\n[image, image/png, 5 bytes, can't be shown here]\nb",
    );
  });
});
