import { digestOfText } from "../domain/digest.ts";
import type { Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import { type Names, touchesOf } from "../shell/command-touches.ts";
import { readScript } from "../shell/read-script.ts";
import { isCanonical } from "./canonical-path.ts";
import { isCanonicalHost } from "./connect-pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

/** The words that begin a touch; other first words begin a command. */
export const TOUCH_WORDS = ["read", "write", "delete", "connect", "model", "tool", "unknown", "exec"] as const;

/**
 * What people write for a touch: `read ./src/a.ts`, `connect example.com:443`, `model anthropic/claude-x`, `tool github.search`, `unknown`, or a
 * command line, also as `exec npm test`. A command line may touch many things.
 */
export function touchesFromWords(words: string, workspace: string): readonly Touch[] | PatternError {
  const space = words.indexOf(" ");
  const [kind, rest] = space === -1 ? [words, ""] : [words.slice(0, space), words.slice(space + 1)];
  switch (kind) {
    case "read":
    case "write":
    case "delete": {
      const path = absolute(rest, workspace);
      if (path !== null) return [{ kind, path }];
      const hint = "write `./src/a.ts`, or `/etc/hosts`; for the command, `exec` before it";
      return patternError(`${quoted(rest)} is not a path in its plainest form`, hint);
    }
    case "connect":
      return connectFrom(rest);
    case "model":
      return modelFrom(rest);
    case "tool":
      if (rest !== "") return [{ kind, name: rest, definitionDigest: digestOfText("") }];
      return patternError("no tool is named", "write `tool NAME`");
    case "unknown":
      if (rest === "") return [{ kind, reason: "named in words" }];
      return commandFrom(words, workspace);
    case "exec":
      return commandFrom(rest, workspace);
    default:
      return commandFrom(words, workspace);
  }
}

function modelFrom(text: string): readonly Touch[] | PatternError {
  const [, provider, model] = /^([^/\s]+)\/(\S+)$/.exec(text) ?? [];
  if (provider !== undefined && model !== undefined) return [{ kind: "model", provider, model, tokensMax: 0 }];
  return patternError(
    `${quoted(text)} is not a provider and a model`,
    "write `model anthropic/claude-x`; for the command, `exec` before it",
  );
}

/** As if every bare name were a program of the toolchain: what is installed here is not the rule's matter. */
function commandFrom(line: string, workspace: string): readonly Touch[] | PatternError {
  if (line.trim() === "") return patternError("no command is named", "write `npm test`");
  const reading = readScript(line);
  if (reading.tooComplex !== null) return patternError(`the command can't be read: ${reading.tooComplex}`);
  const path = (given: string, folder: string): string => plainPath(given, folder, workspace);
  const names: Names = {
    program: (word, folder) => {
      if (!word.includes("/")) return { program: null, origin: reading.functions.has(word) ? "nowhere" : "toolchain" };
      const program = path(word, folder);
      return { program, origin: SYSTEM.test(program) ? "toolchain" : "elsewhere" };
    },
    path,
    isInWorkspace: (inside) => inside === workspace || inside.startsWith(workspace === "/" ? "/" : `${workspace}/`),
  };
  return touchesOf(reading, names);
}

const SYSTEM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/;

/** By its letters alone: links are not looked at. */
function plainPath(given: string, folder: string, workspace: string): string {
  const from = given.startsWith("/") ? [] : `${folder.startsWith("/") ? "" : workspace}/${folder}`.split("/");
  const steps: string[] = [];
  for (const step of [...from, ...given.split("/")]) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}

function absolute(path: string, workspace: string): string | null {
  const full = path === "." ? workspace : path.startsWith("./") ? `${workspace}/${path.slice(2)}` : path;
  const plain = workspace === "/" ? full.replace("//", "/") : full;
  return isCanonical(plain) ? plain : null;
}

function connectFrom(text: string): readonly Touch[] | PatternError {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (isCanonicalHost(host)) return [{ kind: "connect", host, port: Number(port), scheme: "tcp" }];
  return patternError(`${quoted(text)} is not a host and a port`, "write `connect example.com:443`");
}
