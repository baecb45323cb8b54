import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";

const NAME = {
  type: "string",
  minLength: 1,
  maxLength: 64,
  "x-unit": "codepoints",
  "x-because": "it stands in the ledger beside every answer",
} as const;

const USERS_MAX = 1000;
const ROLES_MAX = 50;
const HOSTS_MAX = 50;

/** The part of `toolgate.yaml` that `toolgate serve` reads. */
export const SERVER = {
  description: "What `toolgate serve` listens on, and who may use it.",
  type: "object",
  additionalProperties: false,
  properties: {
    host: {
      description: "The address that is listened on. Any but a loopback one lets other machines in, with a token.",
      type: "string",
      minLength: 1,
      maxLength: 253,
      "x-unit": "codepoints",
      "x-because": "no host name is longer",
      default: "127.0.0.1",
    },
    port: {
      description: "The port; 0 takes one that is free.",
      type: "integer",
      minimum: 0,
      maximum: 65_535,
      "x-unit": "count",
      "x-because": "TCP has no others",
      default: 7420,
    },
    hosts: {
      description:
        "Names under which a proxy in front of the server is reached, `gate.example` or `gate.example:8443`. Requests that " +
        "name any other host are refused (DNS rebinding).",
      type: "array",
      default: [],
      maxItems: HOSTS_MAX,
      "x-unit": "count",
      "x-because": "each request is compared with them",
      items: {
        type: "string",
        minLength: 1,
        maxLength: 259,
        "x-unit": "codepoints",
        "x-because": "a host name and a port",
      },
    },
    callsPerMinute: {
      description: "How many calls one token may start in a minute, over REST, MCP and APM2 together.",
      type: "integer",
      minimum: LIMITS.callsPerMinute.minimum,
      maximum: LIMITS.callsPerMinute.maximum,
      "x-unit": LIMITS.callsPerMinute.unit,
      "x-because": LIMITS.callsPerMinute.because,
      default: LIMITS.callsPerMinute.default,
    },
    users: {
      description: "Who has a token besides the administrator, whose token is `admin.token` in the state directory.",
      type: "array",
      default: [],
      maxItems: USERS_MAX,
      "x-unit": "count",
      "x-because": "all of them are read at every start",
      items: {
        type: "object",
        required: ["name", "token", "roles"],
        additionalProperties: false,
        properties: {
          name: { description: "Who this is, in the ledger and in rules.", ...NAME },
          token: {
            description: "`sha256:` and the SHA-256 of the token; `toolgate serve --make-token` makes both.",
            type: "string",
            minLength: 71,
            maxLength: 71,
            "x-unit": "codepoints",
            "x-because": "a SHA-256 in hexadecimal",
          },
          roles: {
            description:
              "`caller` may make calls, `approver` may answer questions, `executor` may run the tools of `tools.client`, `admin` may do everything; other names are for rules.",
            type: "array",
            maxItems: ROLES_MAX,
            "x-unit": "count",
            "x-because": "more than anybody has",
            items: NAME,
          },
        },
      },
    },
  },
} as const satisfies JsonObject;
