import { digestOfText } from "../domain/digest.ts";
import type { Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import { isCanonical } from "./canonical-path.ts";
import { isCanonicalHost } from "./connect-pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

/** A touch as people write it: `read ./src/a.ts`, `connect example.com:443`, `tool github.search`, `unknown`. */
export function touchFromWords(words: string, workspace: string): Touch | PatternError {
  const space = words.indexOf(" ");
  const [kind, rest] = space === -1 ? [words, ""] : [words.slice(0, space), words.slice(space + 1)];
  switch (kind) {
    case "read":
    case "write":
    case "delete": {
      const path = absolute(rest, workspace);
      if (path !== null) return { kind, path };
      return patternError(`${quoted(rest)} is not a path in its plainest form`, "write `./src/a.ts`, or `/etc/hosts`");
    }
    case "connect":
      return connectFrom(rest);
    case "tool":
      if (rest !== "") return { kind, name: rest, definitionDigest: digestOfText("") };
      return patternError("which tool is meant", "write `tool NAME`");
    case "unknown":
      return { kind, reason: "named in words" };
    default:
      return patternError(
        `${quoted(words)} is a command line, which is not supported by this version yet`,
        "write what is touched: `read ./src/a.ts`, `connect example.com:443`, `tool NAME` or `unknown`",
      );
  }
}

function absolute(path: string, workspace: string): string | null {
  const full = path === "." ? workspace : path.startsWith("./") ? `${workspace}/${path.slice(2)}` : path;
  const plain = workspace === "/" ? full.replace("//", "/") : full;
  return isCanonical(plain) ? plain : null;
}

function connectFrom(text: string): Touch | PatternError {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (isCanonicalHost(host)) return { kind: "connect", host, port: Number(port), scheme: "tcp" };
  return patternError(`${quoted(text)} is not a host and a port`, "write `connect example.com:443`");
}
