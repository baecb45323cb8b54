import type { Environment } from "@marcbachmann/cel-js";
import type { Risk } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import type { Trust } from "../domain/tool-effects.ts";
import type { Touch } from "../domain/touch.ts";
import { conditionValue, type Room } from "./condition-value.ts";
import { riskOf } from "./risk.ts";
import { type SettledEffects, settledEffects } from "./settled-effects.ts";
import { trustOf } from "./trust.ts";

/**
 * What each variable is, so that a misspelt one is found when the rules are loaded. A member that not every touch or
 * lease has is asked for with `has(…)`; without it, a condition about a missing one can't be decided, and denies.
 */
const TYPES = {
  call: { tool: "string", input: "map<string, dyn>", actor: "string", project: "string", sessionId: "string" },
  touch: {
    ...{ kind: "string", path: "string", tree: "bool", names: "bool", folder: "bool" },
    ...{ host: "string", port: "int", scheme: "string" },
    ...{ program: "string", origin: "string", argv: "list<string>", operation: "string", arguments: "list<string>" },
    ...{
      repository: "string",
      provider: "string",
      model: "string",
      tokensMax: "int",
      name: "string",
      reason: "string",
    },
  },
  filesystem: { read: "bool", write: "bool", delete: "bool" },
  interactive: { stdin: "string", prompts: "bool", tty: "bool" },
  cost: { estimate: "string", billable: "bool" },
  effects: {
    ...{ filesystem: "filesystem", interactive: "interactive", cost: "cost", network: "bool", subprocess: "bool" },
    ...{ idempotent: "bool", reversible: "bool", destructive: "bool" },
  },
  session: { id: "string", project: "string" },
  lease: { id: "string", expiresAt: "google.protobuf.Timestamp" },
} as const;

type TypeName = keyof typeof TYPES;

const VARIABLES = {
  call: "call",
  touch: "touch",
  effects: "effects",
  trust: "string",
  risk: "string",
  session: "session",
  lease: "lease",
  project: "string",
  now: "google.protobuf.Timestamp",
} as const;

export const VARIABLE_NAMES: ReadonlySet<string> = new Set(Object.keys(VARIABLES));

/** A class for each type: the language tells types apart by constructor, and so needs no copies of what it is given. */
const classes = Object.fromEntries(
  Object.keys(TYPES).map((name) => [
    name,
    class {
      constructor(members: object) {
        Object.assign(this, members);
      }
    },
  ]),
) as Record<TypeName, new (members: object) => object>;

export function declareVariables(environment: Environment): Environment {
  for (const [name, fields] of Object.entries(TYPES))
    environment.registerType(name, { ctor: classes[name as TypeName], fields });
  for (const [name, type] of Object.entries(VARIABLES)) environment.registerVariable(name, type);
  return environment;
}

/** What the input may hold for a condition to see it; a larger part can't be asked about. */
const VALUES_MAX = 10_000;
const CHARACTERS_MAX = 4 * 1024 * 1024;

/** The variables of one call, each worked out when the first condition asks for it. */
class CallVariables implements Readonly<Record<keyof typeof VARIABLES, unknown>> {
  /** Of whichever touch is judged now: conditions don't wait, so there is only one at a time. */
  touch: object | null = null;
  readonly #facts: CallFacts;
  #call: object | undefined;
  #effects: object | undefined;
  #risk: Risk | undefined;

  constructor(facts: CallFacts) {
    this.#facts = facts;
  }

  get call(): object {
    const { tool, input, actor, project, session } = this.#facts;
    const room: Room = { values: VALUES_MAX, characters: CHARACTERS_MAX };
    this.#call ??= new classes.call({
      ...{ tool, actor, project, sessionId: session.id },
      input: conditionValue(input, room),
    });
    return this.#call;
  }

  get effects(): object {
    this.#effects ??= effectsValue(settledEffects(this.#facts));
    return this.#effects;
  }

  get trust(): Trust {
    return trustOf(this.#facts);
  }

  get risk(): Risk {
    this.#risk ??= riskOf(this.#facts.touches);
    return this.#risk;
  }

  get session(): object {
    const { id, project } = this.#facts.session;
    return new classes.session({ id, project });
  }

  get lease(): object {
    const { id, expiresAtMs } = this.#facts.session.lease;
    return new classes.lease(expiresAtMs === null ? { id } : { id, expiresAt: new Date(expiresAtMs) });
  }

  get project(): string {
    return this.#facts.project;
  }

  get now(): Date {
    return new Date(this.#facts.nowMs);
  }
}

/** What a call's conditions have seen. A cache and nothing more: facts never change. */
const known = new WeakMap<CallFacts, CallVariables>();

export function variablesFor(touch: Touch, facts: CallFacts): CallVariables {
  const variables = known.get(facts) ?? new CallVariables(facts);
  known.set(facts, variables);
  variables.touch = touchValue(touch);
  return variables;
}

const effectsValue = ({ filesystem, interactive, cost, ...flat }: SettledEffects): object =>
  new classes.effects({
    ...flat,
    filesystem: new classes.filesystem(filesystem),
    interactive: new classes.interactive(interactive),
    cost: new classes.cost(cost),
  });

function touchValue(touch: Touch): object {
  switch (touch.kind) {
    case "exec":
      return new classes.touch({
        ...{ kind: touch.kind, origin: touch.origin },
        ...(touch.program !== null && { program: touch.program }),
        argv: touch.argv.map(({ text }) => text),
      });
    case "connect":
      return new classes.touch({ ...touch, port: BigInt(touch.port) });
    case "model":
      return new classes.touch({ ...touch, tokensMax: BigInt(touch.tokensMax) });
    default:
      return new classes.touch(touch);
  }
}
