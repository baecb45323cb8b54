import type { Approvers } from "../domain/approvers.ts";
import type { Containment } from "../domain/containment.ts";
import type { Effect } from "../domain/decision.ts";
import type { SandboxBackend } from "../domain/sandbox-report.ts";
import type { TouchKind } from "../domain/touch.ts";
import type { Condition } from "./condition.ts";
import type { Pattern } from "./pattern.ts";
import type { RuleGrant } from "./rule-grant.ts";
import type { TouchSelector } from "./touch-selector.ts";

/** What a rule file says, one rule of it. Its shape has been checked, its patterns have not. */
export interface RuleSource {
  readonly id: string;
  readonly effect: Effect;
  /** Patterns of tool names; absent = every tool. */
  readonly tools?: readonly string[];
  /** Absent = every touch, except that an allow rule covers `unknown` only if it names it. */
  readonly touch?: TouchSelector;
  readonly containment?: readonly Containment[];
  /** Only calls that start a program in one of these. A deny for `none` is a minimum for what it covers. */
  readonly sandbox?: readonly SandboxBackend[];
  /** A condition in CEL, asked once all else matches. */
  readonly when?: string;
  /** Speaks only for touches that no other rule covers. */
  readonly otherwise?: boolean;
  /** Command patterns cover words as well that are known only at run time. */
  readonly dynamic?: boolean;
  /** Wildcards of an allow cover options as well of which the dictionary of programs does not know that they are harmless. */
  readonly options?: "any";
  /** Asks only where another rule lets the touch through, so that it never turns a no into a question. Not for people's rules. */
  readonly tightens?: true;
  /** Names places of this machine, so it is not part of the hash. For denies of the gate only. */
  readonly ofMachine?: true;
  /** What a program may do by itself that this rule lets run. */
  readonly grant?: GrantSource;
  readonly examples?: RuleExamples;
  /** Of an ask: who has to say yes. */
  readonly approvers?: ApproversSource;
  readonly because?: string;
}

/** Who has to say yes, as a rule file says it. */
export interface ApproversSource {
  readonly roles?: readonly string[];
  readonly users?: readonly string[];
  readonly people?: number;
  readonly requester?: Approvers["requester"];
}

export interface GrantSource {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly connect?: readonly string[];
}

/** Touches in words, such as `read ./src/a.ts`, that the rule covers and does not cover. */
export interface RuleExamples {
  readonly match?: readonly string[];
  readonly noMatch?: readonly string[];
}

export interface Rule {
  readonly id: string;
  readonly effect: Effect;
  readonly because: string | null;
  readonly otherwise: boolean;
  /** Speaks only where another rule lets the touch through. */
  readonly tightens: boolean;
  /** Null = every tool. */
  readonly tools: RuleTools | null;
  /** Null = wherever the tool works. */
  readonly containment: ReadonlySet<Containment> | null;
  /** Null = whoever holds programs in, and also where there are none. */
  readonly sandbox: ReadonlySet<SandboxBackend> | null;
  /** Which kinds of touch the rule speaks about: by these patterns, or whatever they touch (null). Null = every kind. */
  readonly kinds: ReadonlyMap<TouchKind, readonly Pattern[] | null> | null;
  /** Null = always. */
  readonly condition: Condition | null;
  /** Null = nothing beyond what every program may do. */
  readonly grant: RuleGrant | null;
}

/** Names apart from patterns: a rule may name ten thousand tools, and is asked about each call of one. */
export interface RuleTools {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly Pattern[];
}
