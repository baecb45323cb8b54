import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { unifiedDiff } from "../builtin/unified-diff.ts";
import { diffsIn } from "./tool-call-parts.ts";

/** The changes that an agent says it would make, for people. Null: it shows none. */
export function toolCallPreview(call: JsonObject): (() => Promise<string>) | null {
  const diffs = diffsIn(call).filter(isJsonObject);
  if (diffs.length === 0) return null;
  return async () => {
    const shown = diffs.map(({ path, oldText, newText }) =>
      unifiedDiff({
        path: String(path).replace(/^\//, ""),
        oldText: typeof oldText === "string" ? oldText : null,
        newText: typeof newText === "string" ? newText : null,
        of: diffs.length,
      }),
    );
    return (await Promise.all(shown)).join("");
  };
}
