import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { ERROR_PROFILES } from "../domain/script-tool.ts";
import { ACP } from "./acp-schema.ts";
import { ATIP } from "./atip-schema.ts";
import { INFERENCE } from "./inference-schema.ts";
import { PRICES } from "./prices-schema.ts";
import { RULES, TOOL_PATTERNS } from "./rules-schema.ts";
import { PATH, SECRET_NAME, secretKey } from "./schema-parts.ts";
import { SERVER } from "./server-schema.ts";

const RULES_FILES_MAX = 100;
const TOOLCHAINS_MAX = 100;
const SCRIPT_FILES_MAX = 100;
const SECRETS_MAX = 200;
const REDACT_PATTERNS_MAX = 100;

const REDACT_PATTERN = {
  minLength: 1,
  maxLength: 1000,
  "x-unit": "codepoints",
  "x-because": "a longer one is several",
} as const;

const SEARCH = {
  description: "Who is asked by `web_search`. Left out: there is no such tool.",
  type: "object",
  required: ["backend"],
  additionalProperties: false,
  properties: {
    backend: { description: "Which service it is.", enum: ["searxng", "brave", "tavily"] },
    url: {
      description: "Where it is, if not at its usual place; for SearxNG `http://localhost:8080`.",
      type: "string",
      minLength: 1,
      maxLength: 2000,
      "x-unit": "codepoints",
      "x-because": "no service has a longer address",
    },
    key: secretKey("Its key, which is sent to this service only. Brave and Tavily need one."),
  },
} as const;

/** All of `toolgate.yaml`: the one place that knows its shape, its defaults and its limits. */
export const CONFIG_SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    workspace: {
      description: "The folder that `./` means in rules. Relative to this file.",
      default: ".",
      ...PATH,
      "x-because": LIMITS.pathBytes.because,
    },
    state: {
      description: "Where the ledger and the state of calls are kept. Relative to this file. Closed to all tools.",
      default: ".toolgate",
      ...PATH,
      "x-because": LIMITS.pathBytes.because,
    },
    tools: {
      description: "Which tools there are.",
      type: "object",
      additionalProperties: false,
      properties: {
        builtin: {
          description: "Sets of tools that the gate brings along.",
          type: "array",
          items: { enum: ["files", "shell", "git", "web", "artifacts", "inference"] },
          default: ["files"],
        },
        mcp: {
          description:
            "Upstream MCP servers by name, whose tools go through this gate. `docs/guide/mcp.md` tells of them.",
          type: "object",
          "x-map": true,
        },
        client: {
          description:
            "Tools by name that a connected client runs itself. `docs/guide/client-executors.md` tells of them.",
          type: "object",
          "x-map": true,
        },
        atip: ATIP,
        scripts: {
          description: "Files with script tools (`tools.yaml`), relative to this file.",
          type: "array",
          default: [],
          maxItems: SCRIPT_FILES_MAX,
          "x-unit": "count",
          "x-because": "all of them are read, checked and hashed at every start",
          items: { ...PATH, "x-because": LIMITS.pathBytes.because },
        },
        web: {
          description: "What the set `web` needs.",
          type: "object",
          additionalProperties: false,
          properties: { search: SEARCH },
        },
        inference: INFERENCE,
      },
    },
    acp: ACP,
    toolchains: {
      description: "Folders whose programs rules may call by their bare names, beside those of PATH at the start.",
      type: "array",
      default: [],
      maxItems: TOOLCHAINS_MAX,
      "x-unit": "count",
      "x-because": "each of them is searched for each command",
      items: { ...PATH, "x-because": LIMITS.pathBytes.because },
    },
    rules: RULES,
    rulesFiles: {
      description: "Files with more rules, relative to this file: a list of rules each, or `rules:` with one.",
      type: "array",
      default: [],
      maxItems: RULES_FILES_MAX,
      "x-unit": "count",
      "x-because": "all of them are read and hashed at every start",
      items: { ...PATH, "x-because": LIMITS.pathBytes.because },
    },
    autoApprovals: {
      description:
        "A file of policies that answer questions (`auto_approval_policies.yaml`), relative to this file. `docs/guide/automatic-answers.md` tells of them.",
      ...PATH,
      "x-because": LIMITS.pathBytes.because,
    },
    secrets: {
      description: "Values that are taken out of everything that leaves the gate.",
      type: "array",
      default: [],
      maxItems: SECRETS_MAX,
      "x-unit": "count",
      "x-because": "each one is looked for in some thirty forms",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          env: { description: "The variable of the environment that holds it.", ...SECRET_NAME },
          file: {
            description: "The file that holds it, relative to this one. Tools may not write it.",
            ...PATH,
            "x-because": LIMITS.pathBytes.because,
          },
          name: {
            description: "What stands in its place. Left out: the variable's or the file's name.",
            ...SECRET_NAME,
          },
        },
      },
    },
    redact: {
      description: "What else is taken out.",
      type: "object",
      additionalProperties: false,
      properties: {
        patterns: {
          description: "Regular expressions in RE2 syntax, line by line.",
          type: "array",
          default: [],
          maxItems: REDACT_PATTERNS_MAX,
          "x-unit": "count",
          "x-because": "each one is run over every text",
          items: {
            ...REDACT_PATTERN,
            type: ["string", "object"],
            required: ["pattern"],
            additionalProperties: false,
            properties: {
              name: { description: "What stands in its place. Left out: `pattern-1` and so on.", ...SECRET_NAME },
              pattern: { description: "The expression.", type: "string", ...REDACT_PATTERN },
            },
          },
        },
        builtin: {
          description: "Our own rules for what looks like a key or a password.",
          enum: ["on", "off"],
          default: "on",
        },
      },
    },
    errorProfile: {
      description:
        "How mapped errors of script tools are told: with a text, or with structured detail. Left out: `A2A_ERROR_PROFILE`, else `acp-basic`.",
      enum: ERROR_PROFILES,
    },
    sandbox: {
      description: "How programs are held in.",
      type: "object",
      additionalProperties: false,
      properties: {
        minimum: {
          description:
            "The weakest sandbox that programs may run in. `groups`: namespaces, with memory and tasks bounded by cgroups. `none` must be written out.",
          enum: ["groups", "namespaces", "none"],
          default: "namespaces",
        },
        tracing: {
          description:
            "`allow`: programs may trace other processes of their own sandbox, as `gdb` and `strace` do. Processes outside stay out of reach.",
          enum: ["deny", "allow"],
          default: "deny",
        },
        contained: {
          description:
            "Tools, `*` for any characters, whose programs run in namespaces or not at all, also where the minimum is `none`.",
          ...TOOL_PATTERNS,
        },
      },
    },
    ledger: {
      description: "How entries are kept.",
      type: "object",
      additionalProperties: false,
      properties: {
        durability: {
          description: "`full` survives a power cut, `normal` survives a crash of the gate only.",
          enum: ["full", "normal"],
          default: "full",
        },
        keep: {
          description:
            "What is kept of the arguments and results of calls: their `digests`, or also their redacted `texts` as blobs, which costs two files a call.",
          enum: ["digests", "texts"],
          default: "digests",
        },
      },
    },
    governors: {
      description:
        "A file with governors, relative to this file: programs and services that look at every call and may object. `docs/guide/automatic-answers.md` tells of them.",
      ...PATH,
      "x-because": LIMITS.pathBytes.because,
    },
    prices: PRICES,
    server: SERVER,
  },
} as const satisfies JsonObject;
