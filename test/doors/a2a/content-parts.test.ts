import { expect, it } from "vitest";
import type { Content } from "../../../src/domain/outcome.ts";
import { partFrom } from "../../../src/doors/a2a/content-parts.ts";

it.each<[Content, object]>([
  [
    { type: "text", text: "a" },
    { text: "a", mediaType: "text/plain" },
  ],
  [
    { type: "image", mediaType: "image/png", data: "AA==" },
    { raw: "AA==", mediaType: "image/png" },
  ],
  [
    { type: "diff", path: "a.txt", diff: "+x", newText: "x" },
    { text: "+x", mediaType: "text/x-diff", filename: "a.txt" },
  ],
  [
    { type: "resource", uri: "x:1" },
    { url: "x:1", metadata: { uri: "x:1" } },
  ],
  [
    { type: "resource", uri: "x:1", mediaType: "text/css", text: "" },
    { text: "", mediaType: "text/css", metadata: { uri: "x:1" } },
  ],
  [
    { type: "resource", uri: "x:1", blob: "AA==" },
    { raw: "AA==", metadata: { uri: "x:1" } },
  ],
])("%j is a part", (content, part) => expect(partFrom(content)).toEqual(part));
