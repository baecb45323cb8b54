import type {
  Approval,
  ApprovedCall,
  JudgedCall,
  PlannedCall,
  RawCall,
  ResolvedCall,
  Tool,
  ValidCall,
  Verdict,
} from "../domain/call.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Lease } from "../domain/lease.ts";
import type { Plan, Seal } from "../domain/plan.ts";

/*
 * A call on its way from one state to the next. All states are objects of one shape, written down once and in full: every
 * call is copied five times, and spreading fifteen members costs more each time than most of what a stage does.
 */

type Preview = PlannedCall["preview"];

export const resolvedCall = (call: RawCall, tool: Tool): ResolvedCall => new CallState(call, tool);

export const validCall = (call: ResolvedCall, input: JsonObject): ValidCall =>
  new CallState(call, call.tool, input) as ValidCall;

export const plannedCall = (call: ValidCall, plan: Plan, preview: Preview): PlannedCall =>
  new CallState(call, call.tool, call.input, plan, preview) as PlannedCall;

export const judgedCall = (
  call: PlannedCall,
  verdict: Verdict,
  seal: Seal,
  preview: JudgedCall["preview"],
): JudgedCall => new CallState(call, call.tool, call.input, call.plan, preview, verdict, seal) as JudgedCall;

export const approvedCall = (call: JudgedCall, approval: Approval): ApprovedCall =>
  new CallState(
    call,
    call.tool,
    call.input,
    call.plan,
    call.preview,
    call.verdict,
    call.seal,
    approval,
  ) as ApprovedCall;

/** The same under the lease that holds now. */
export const underLease = (call: PlannedCall, lease: Lease): PlannedCall =>
  lease === call.session.lease ? call : { ...call, session: { ...call.session, lease } };

/** What is not known yet is undefined, and no type of a state that comes before it has it. */
class CallState implements ResolvedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly rawInput: RawCall["rawInput"];
  readonly project: string;
  readonly session: RawCall["session"];
  readonly owner: string;
  readonly host: string;
  readonly actor: string;
  readonly caller: RawCall["caller"];
  readonly receivedAtMs: number;
  readonly key: string | undefined;
  readonly tool: Tool;
  readonly input: JsonObject | undefined;
  readonly plan: Plan | undefined;
  readonly preview: Preview;
  readonly verdict: Verdict | undefined;
  readonly seal: Seal | undefined;
  readonly approval: Approval | undefined;

  constructor(
    call: RawCall,
    tool: Tool,
    input?: JsonObject,
    plan?: Plan,
    preview?: Preview,
    verdict?: Verdict,
    seal?: Seal,
    approval?: Approval,
  ) {
    this.callId = call.callId;
    this.toolName = call.toolName;
    this.rawInput = call.rawInput;
    this.project = call.project;
    this.session = call.session;
    this.owner = call.owner;
    this.host = call.host;
    this.actor = call.actor;
    this.caller = call.caller;
    this.receivedAtMs = call.receivedAtMs;
    this.key = call.key;
    this.tool = tool;
    this.input = input;
    this.plan = plan;
    this.preview = preview;
    this.verdict = verdict;
    this.seal = seal;
    this.approval = approval;
  }
}
