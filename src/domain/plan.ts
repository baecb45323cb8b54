import type { Containment } from "./containment.ts";
import { type Digest, digestOf } from "./digest.ts";
import type { JsonObject } from "./json.ts";
import type { SandboxReport } from "./sandbox-report.ts";
import type { FileTouch, Touch } from "./touch.ts";

/** A file whose content the plan relies on. `null` = there is, or will be, no file. */
export interface Operand {
  readonly path: string;
  readonly before: Digest | null;
  readonly after: Digest | null;
}

/**
 * A text for the approver. The caller sees it too, so what stands in a file is told only if the call itself might read the
 * file: `mayRead` says that. Empty: there is nothing to show.
 */
export type Preview = (mayRead: (read: FileTouch) => boolean) => Promise<string>;

/** What a tool works out: the part of the plan that depends on the tool. */
export interface PlanDraft {
  /** INVARIANT (touches): a call touches at least one thing; what can't be read is an `unknown` touch. */
  readonly touches: readonly [Touch, ...Touch[]];
  readonly operands: readonly Operand[];
  /** The tool itself wants a person to be asked, with these words, whatever the rules allow. */
  readonly confirm?: string | undefined;
  /** Where the call says for itself how long it may take. */
  readonly timeoutMs?: number;
  /** Of a call that starts a program: who holds it in, and within which limits. */
  readonly sandbox?: PlannedSandbox | undefined;
  /** For people: the change as a diff. No part of the plan: it follows from the input and the operands. */
  readonly preview?: Preview;
}

/** The program that is started, and what is around it. */
export interface PlannedSandbox {
  readonly report: SandboxReport;
  readonly limits: Readonly<Record<string, number>>;
  /** As it is started, without a shell where it needs none. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The operator's variables that it is given, by name. */
  readonly secrets?: readonly string[];
}

/** Everything the call would do. Values that differ per attempt (ids, times, temp names) have no place in it. */
export interface Plan extends Omit<PlanDraft, "preview" | "timeoutMs"> {
  readonly tool: string;
  readonly definitionDigest: Digest;
  readonly containment: Containment;
  readonly host: string;
  readonly workspace: string;
  readonly timeoutMs: number;
  readonly input: JsonObject;
}

/** What the rules let a program do by itself, and what they keep from it. Patterns, as the rules write them. */
export interface Grant {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly connect: readonly string[];
  /** Paths inside a tree that is read, which the runner must pass over as if they were not there. */
  readonly hide: readonly string[];
  /** Hosts that `connect` covers and that a rule keeps closed all the same. */
  readonly noConnect: readonly string[];
  /** Paths that `write` covers and that have to stay as they are. */
  readonly readOnly: readonly string[];
}

export const NO_GRANT: Grant = { connect: [], hide: [], noConnect: [], read: [], readOnly: [], write: [] };

/**
 * INVARIANT (seal): `digest` is SHA-256 over the canonical JSON of plan, grant, rules hash and the hash of what answers by itself.
 * What is judged, shown, run and recorded carries this digest, and only `PlanSeal` in `pipeline/judge.ts` makes one.
 */
export interface Seal {
  readonly digest: Digest;
  readonly grant: Grant;
  readonly rulesHash: Digest;
  /** Of the policies and governors; left out: there are none. */
  readonly automaticHash?: Digest;
}

/** What stays the same where only rules and grants change: the plan, and who was heard about it. */
export const unruledDigest = (plan: Plan, { automaticHash }: Seal): Digest =>
  digestOf(automaticHash === undefined ? plan : { automaticHash, plan });
