import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

/** What the gate takes from the environment, read once. Nothing else reads it. */
export interface Environment {
  /** Null = this user has none. */
  readonly home: string | null;
  /** Where state of this user lives that belongs to no workspace; null = nowhere. */
  readonly xdgState: string | null;
  /** The absolute folders of `PATH`: any other means another folder wherever the gate is started. */
  readonly searchPath: readonly string[];
  /** https://no-color.org */
  readonly noColor: boolean;
  readonly ci: boolean;
  /** The token of the session that calls are made in; null = none, and nothing but the rules binds them. */
  readonly token: string | null;
  readonly term: string | null;
  /** How a person starts this program: `npx toolgate`, if npx has started it and no other one is on the path. */
  readonly program: "toolgate" | "npx toolgate";
}

type RawEnvironment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(raw: RawEnvironment = process.env): Environment {
  const home = absolute(raw["HOME"]) ?? absolute(homedir());
  return Object.freeze({
    home,
    xdgState: absolute(raw["XDG_STATE_HOME"]) ?? (home === null ? null : join(home, ".local", "state")),
    searchPath: (raw["PATH"] ?? "").split(delimiter).filter(isAbsolute),
    noColor: isSet(raw["NO_COLOR"]),
    ci: isSet(raw["CI"]) && raw["CI"] !== "false",
    // Also an empty one: who meant to give a token and did not is bound by nobody's lease otherwise.
    token: raw["TOOLGATE_TOKEN"] ?? null,
    term: raw["TERM"] ?? null,
    program: isOnlyByNpx(raw) ? "npx toolgate" : "toolgate",
  });
}

/** npx puts folders named `node_modules/.bin` on the path of what it starts; a person's shell does not have them. */
function isOnlyByNpx(raw: RawEnvironment): boolean {
  if (raw["npm_lifecycle_event"] !== "npx") return false;
  const own = (raw["PATH"] ?? "").split(delimiter).filter((folder) => !/\/node_modules\/\.bin\/?$/.test(folder));
  return !own.some((folder) => isAbsolute(folder) && existsSync(join(folder, "toolgate")));
}

/** The XDG base directory specification: a path that is not absolute is to be ignored. */
const absolute = (path: string | undefined): string | null => (path !== undefined && isAbsolute(path) ? path : null);

const isSet = (value: string | undefined): boolean => value !== undefined && value !== "";
