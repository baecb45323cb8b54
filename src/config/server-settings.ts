import { quoted } from "../domain/visible.ts";
import type { RawConfig, RawUser, ShapeProblem } from "./config-shape.ts";
import { SERVER } from "./server-schema.ts";

/** Somebody with a token. */
export interface User {
  readonly name: string;
  /** SHA-256 in hexadecimal: the token itself is nowhere. */
  readonly tokenHash: string;
  readonly roles: readonly string[];
}

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  /** Of one token. */
  readonly callsPerMinute: number;
  readonly users: readonly User[];
}

const TOKEN_HASH = /^sha256:([0-9a-f]{64})$/;
/** Not ours: these are what the gate calls those who need no entry here. */
const RESERVED: ReadonlySet<string> = new Set(["admin"]);
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]*$/u;
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

export function serverFrom({ server = {} }: RawConfig): ServerSettings {
  const { host = SERVER.properties.host.default, port = SERVER.properties.port.default } = server;
  return {
    host,
    port,
    hosts: server.hosts ?? [],
    callsPerMinute: server.callsPerMinute ?? SERVER.properties.callsPerMinute.default,
    users: (server.users ?? []).map(({ name, token, roles }) => ({
      name,
      tokenHash: TOKEN_HASH.exec(token)?.[1] ?? "",
      roles,
    })),
  };
}

/** What the shape can't say. */
export function serverProblems({ server = {} }: RawConfig): readonly ShapeProblem[] {
  const { hosts = [], users = [] } = server;
  return [
    ...hosts.flatMap((host, index) => (HOST.test(host) ? [] : [badHost(host, index)])),
    ...users.flatMap((user, index) => userProblems(user, index, users)),
  ];
}

function userProblems({ name, token }: RawUser, index: number, users: readonly RawUser[]): readonly ShapeProblem[] {
  const before = users.slice(0, index);
  const at = (key: string, message: string, hint: string): ShapeProblem => ({
    path: ["server", "users", index, key],
    what: "value",
    message,
    hint,
  });
  return [
    ...(NAME.test(name) ? [] : [at("name", `${quoted(name)} is not a name`, "use letters, digits and ` ._@+-`")]),
    ...(RESERVED.has(name) ? [at("name", `${quoted(name)} is the gate's own name`, "use another")] : []),
    ...(before.some((user) => user.name === name)
      ? [at("name", `${quoted(name)} is there twice`, "give each user one entry")]
      : []),
    // A token that stands for two people proves nothing of either.
    ...(before.some((user) => user.token === token)
      ? [at("token", "two users have the same token", "make one for each with `toolgate serve --make-token`")]
      : []),
    ...(TOKEN_HASH.test(token)
      ? []
      : [
          at(
            "token",
            "the token has to be given as `sha256:` and 64 hexadecimal digits",
            "`toolgate serve --make-token`",
          ),
        ]),
  ];
}

const badHost = (host: string, index: number): ShapeProblem => ({
  path: ["server", "hosts", index],
  what: "value",
  message: `${quoted(host)} is not a host name in lower case, with or without a port`,
  hint: "write `gate.example` or `gate.example:8443`",
});
