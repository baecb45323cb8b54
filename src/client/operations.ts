// Made by `node scripts/write-client.ts` from the OpenAPI document. Changes here are lost.

import type { AlwaysRule, Approval, Execution, Outcome, Receipt, Session, Tool } from "./answers.ts";

/** What each operation takes and answers. */
export interface Operations {
  /** The tools. Whether a call is asked about is for the rules to say: `requires_approval` is what to expect. */
  readonly availableTools: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: { readonly success: true; readonly tools: readonly Tool[]; readonly total_count: number };
  };

  /** Make a governed call. Its answer is the outcome; the call goes on when whoever made it is gone. */
  readonly executeTool: {
    readonly input: {
      readonly tool_name: string /** what the tool takes; left out: an empty object */;
      readonly tool_params?: unknown /** the conversation that the call belongs to */;
      readonly session_id?: string /** whether to wait for a person's answer (default), or to come back with a `pending` outcome */;
      readonly wait?: boolean;
    };
    readonly kind: "json";
    readonly answer: Outcome;
  };

  /** An executor says that it begins with a call. It runs it only if the answer is 200, which holds the call whole. */
  readonly acknowledgeTool: {
    readonly input: { readonly tool_id: string /** `dispatch_token` of the signal */; readonly dispatch_token: string };
    readonly kind: "json";
    readonly answer: {
      readonly success: true;
      readonly tool_id: string;
      readonly tool_name: string;
      readonly tool_params: Readonly<Record<string, unknown>>;
      readonly plan_digest: string;
      readonly params_digest: string;
      readonly timeout_seconds: number;
    };
  };

  /** An executor says how a call ended. The first to say so is heard; the same once more changes nothing. */
  readonly submitResult: {
    readonly input: {
      readonly tool_id: string;
      readonly status: "completed" | "failed";
      readonly result?: {
        readonly success?: boolean;
        readonly stdout?: string | null;
        readonly stderr?: string | null;
        readonly exit_code?: number | null;
      };
      readonly error?: string | null /** not believed */;
      readonly completed_at?: string /** not believed */;
      readonly session_id?: string /** `dispatch_token` of the signal */;
      readonly dispatch_token?: string;
    };
    readonly kind: "json";
    readonly answer: {
      readonly success: true;
      readonly tool_id: string;
      readonly status: "completed" | "failed";
      readonly message: string;
    };
  };

  /** Questions: the open ones, the oldest first; or those that have their answer, the newest first. The texts of others' questions are for approvers. */
  readonly listApprovals: {
    readonly input: {
      /** default: pending */ readonly status?: "pending" | "resolved" | "all" /** how many at most */;
      readonly limit?: number /** `next` of the page before */;
      readonly cursor?: string;
    };
    readonly kind: "json";
    readonly answer: { readonly approvals: readonly Approval[]; readonly next: string | null };
  };

  /** One question with the whole plan that it is about. What is approved is what is shown here. */
  readonly showApproval: {
    readonly input: { readonly approval_id: string };
    readonly kind: "json";
    readonly answer: {
      readonly approval: Approval;
      readonly plan: Readonly<Record<string, unknown>>;
      readonly votes: {
        /** who has said yes so far, and may still */
        readonly given: readonly string[] /** how many different people have to */;
        readonly needed: number;
      } /** what `always` would save; null: not for you, or it has its answer */;
      readonly always: { readonly approve: AlwaysRule; readonly reject: AlwaysRule } | null;
    };
  };

  /** Say yes to a call. It runs if it is still what was asked about. */
  readonly approve: {
    readonly input: {
      readonly approval_id: string;
      readonly decision?: "approved" /** stands in the ledger */;
      readonly reason?: string /** of the plan that was shown: if the question is about another, it stays open */;
      readonly plan_digest?: string /** also save the rule that answers this from now on; for administrators */;
      readonly always?: {
        /** of the rule that was shown: `always` of the question */ readonly rule_digest: string;
      };
    };
    readonly kind: "json";
    readonly answer: {
      readonly success: true;
      readonly approval_id: string;
      readonly status: "approved" | "rejected" | "pending";
      readonly tool_id?: string;
      readonly approvals_given?: number;
      readonly approvals_needed?: number /** what became of the rule */;
      readonly always?: {
        /** false: the answer counts this once */ readonly saved: boolean;
        readonly rule_id?: string /** false: the settings that it stands in do not load now */;
        readonly in_force?: boolean;
        readonly because?: string;
        readonly hint?: string;
      };
    };
  };

  /** Say no to a call. */
  readonly reject: {
    readonly input: {
      readonly approval_id: string;
      readonly decision?: "rejected" /** stands in the ledger */;
      readonly reason?: string /** of the plan that was shown: if the question is about another, it stays open */;
      readonly plan_digest?: string /** also save the rule that answers this from now on; for administrators */;
      readonly always?: {
        /** of the rule that was shown: `always` of the question */ readonly rule_digest: string;
      };
    };
    readonly kind: "json";
    readonly answer: {
      readonly success: true;
      readonly approval_id: string;
      readonly status: "approved" | "rejected" | "pending";
      readonly tool_id?: string;
      readonly approvals_given?: number;
      readonly approvals_needed?: number /** what became of the rule */;
      readonly always?: {
        /** false: the answer counts this once */ readonly saved: boolean;
        readonly rule_id?: string /** false: the settings that it stands in do not load now */;
        readonly in_force?: boolean;
        readonly because?: string;
        readonly hint?: string;
      };
    };
  };

  /** Calls, the newest first, without their arguments and results. A page may be short although there are more. */
  readonly listExecutions: {
    readonly input: {
      readonly status?:
        | "PENDING"
        | "AWAITING_APPROVAL"
        | "APPROVED"
        | "EXECUTING"
        | "COMPLETED"
        | "REJECTED"
        | "TIMEOUT"
        | "FAILED"
        | "DENIED"
        | "CANCELLED"
        | "OUTCOME_UNKNOWN";
      readonly tool_name?: string;
      readonly session_id?: string /** how many at most */;
      readonly limit?: number /** `next` of the page before */;
      readonly cursor?: string;
    };
    readonly kind: "json";
    readonly answer: { readonly executions: readonly Execution[]; readonly next: string | null };
  };

  /** A call. Its arguments and its result are shown to who made it, to approvers and to the executor that it is for; to others they are null. */
  readonly showExecution: {
    readonly input: { readonly execution_id: string };
    readonly kind: "json";
    readonly answer: Execution;
  };

  /** Take a call back, or stop it. How it ends is told by the call itself. */
  readonly cancelExecution: {
    readonly input: { readonly execution_id: string };
    readonly kind: "json";
    readonly answer: Execution;
  };

  /** What happens, as server-sent events. An event's id is the number of its ledger entry. */
  readonly chatStream: {
    readonly input: {
      /** only what happens in this session */
      readonly session_id?: string /** go on behind this event; the header `Last-Event-ID` says the same and comes first */;
      readonly last_event_id?: number /** be an executor of these tools: their names, with commas between; `*` is all. Signals come on this stream, and each is acknowledged before it is run. Needs the role `executor` */;
      readonly executes?: string;
    };
    readonly kind: "events";
    readonly answer: string;
  };

  /** What happens, as server-sent events. An event's id is the number of its ledger entry. */
  readonly projectEvents: {
    readonly input: {
      /** only what happens in this session */
      readonly session_id?: string /** go on behind this event; the header `Last-Event-ID` says the same and comes first */;
      readonly last_event_id?: number /** be an executor of these tools: their names, with commas between; `*` is all. Signals come on this stream, and each is acknowledged before it is run. Needs the role `executor` */;
      readonly executes?: string;
    };
    readonly kind: "events";
    readonly answer: string;
  };

  /** What happens, as server-sent events. An event's id is the number of its ledger entry. */
  readonly events: {
    readonly input: {
      /** only what happens in this session */
      readonly session_id?: string /** go on behind this event; the header `Last-Event-ID` says the same and comes first */;
      readonly last_event_id?: number /** be an executor of these tools: their names, with commas between; `*` is all. Signals come on this stream, and each is acknowledged before it is run. Needs the role `executor` */;
      readonly executes?: string;
    };
    readonly kind: "events";
    readonly answer: string;
  };

  /** What the tools do, as the events `tool_execution` of A2A-ACP: started, completed, failed. */
  readonly toolEvents: {
    readonly input: {
      /** only what happens in this session */
      readonly session_id?: string /** go on behind this event; the header `Last-Event-ID` says the same and comes first */;
      readonly last_event_id?: number /** only these calls: their ids, with commas between */;
      readonly task_filter?: string;
    };
    readonly kind: "events";
    readonly answer: string;
  };

  /** What was too long for a result, whole. Its address is the BLAKE3 of what was stored. An agent reads only what came of its own calls or was stored by it; a person who answers no questions, what came of their own calls, and evidence. */
  readonly readBlob: {
    readonly input: {
      readonly hash: string /** who does not answer questions: the ledger entry that tells of it, as `receipt` names it; without, the last calls are looked through */;
      readonly seq?: number;
    };
    readonly kind: "bytes";
    readonly answer: string;
  };

  /** Keep some bytes. Their address is their BLAKE3; what is there already is not kept twice. */
  readonly storeBlob: {
    readonly input: {
      /** what they have to hash to; with another hash nothing is kept */ readonly hash?: string;
    };
    readonly kind: "json";
    readonly answer: { readonly hash: string; readonly bytes: number; readonly receipt: Receipt };
  };

  /** Entries of the ledger in their order, or those of one call. */
  readonly ledgerEntries: {
    readonly input: {
      readonly call_id?: string /** how many at most */;
      readonly limit?: number /** `next` of the page before */;
      readonly cursor?: string;
    };
    readonly kind: "json";
    readonly answer: {
      readonly entries: readonly Readonly<Record<string, unknown>>[];
      readonly size: number;
      readonly next: string | null;
    };
  };

  /** Read all of the ledger, and say whether it is what was written. */
  readonly verifyLedger: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: { readonly ok: boolean };
  };

  /** A proof, for somebody who holds a checkpoint, that the entry is under it. */
  readonly proveEntry: {
    readonly input: { readonly seq: string };
    readonly kind: "json";
    readonly answer: Readonly<Record<string, unknown>>;
  };

  /** Open a session for an agent. Its token is shown in this answer and nowhere else. */
  readonly openSession: {
    readonly input: {
      /** what it may do, until when and how much: `tools`, `read`, `write`, `hosts`, … */
      readonly lease: Readonly<Record<string, unknown>>;
      readonly label?: string;
    };
    readonly kind: "json";
    readonly answer: { readonly session_id: string; readonly token: string };
  };

  /** Sessions that are open, with their leases. */
  readonly listSessions: {
    readonly input: {
      /** how many at most */ readonly limit?: number /** `next` of the page before */;
      readonly cursor?: string;
    };
    readonly kind: "json";
    readonly answer: { readonly sessions: readonly Session[]; readonly next: string | null };
  };

  /** One session. */
  readonly showSession: {
    readonly input: { readonly session_id: string };
    readonly kind: "json";
    readonly answer: Session;
  };

  /** Take a session's rights back, and those of all below it. Questions of its calls are taken back as well. */
  readonly revokeSession: {
    readonly input: { readonly session_id: string; readonly reason?: string };
    readonly kind: "json";
    readonly answer: Session;
  };

  /** The rules in force, and the hash that every plan is sealed with. */
  readonly showRules: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: {
      readonly hash: string;
      readonly rules: readonly {
        readonly id: string;
        readonly effect: "allow" | "ask" | "deny";
        readonly because?: string | null;
      }[];
    };
  };

  /** Whether rules would load, with all that is wrong with them. Nothing comes into force. */
  readonly checkRules: {
    readonly input: {
      /** as under `rules` in toolgate.yaml; left out: the settings on the disk */ readonly rules?: readonly unknown[];
    };
    readonly kind: "json";
    readonly answer: {
      readonly ok: boolean /** whether they judge now; null: they can't */;
      readonly in_force: boolean | null;
      readonly rules: number | null;
      readonly problems: readonly {
        readonly file: string;
        readonly line: number;
        readonly column: number;
        readonly message: string;
        readonly hint?: string;
      }[];
      readonly examples: readonly {
        readonly rule_id: string;
        readonly example: string;
        readonly wanted?: "match" | "noMatch";
        readonly holds: boolean;
      }[];
    };
  };

  /** What a call would touch and how the rules judge it. Nothing runs, nothing is recorded. */
  readonly explainCall: {
    readonly input: {
      readonly tool_name: string /** what the tool takes */;
      readonly tool_params?: unknown;
      readonly session_id?: string;
    };
    readonly kind: "json";
    readonly answer: { readonly decision: "allow" | "ask" | "deny"; readonly touches: readonly unknown[] };
  };

  /** Log a browser in: a token of its own for the token or the code that it sends (`Authorization: Code …`), and a cookie that opens one event stream within a minute, because `EventSource` can't send a header. */
  readonly login: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: {
      readonly user: string;
      readonly roles: readonly string[] /** null: the request carried the token of a login already */;
      readonly token: string | null /** ISO 8601, UTC */;
      readonly expires_at: string;
    };
  };

  /** A code for a link to the console, `/#code=…`, that signs in whoever opens it: once, within ten minutes. */
  readonly loginLink: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: { readonly code: string /** ISO 8601, UTC */; readonly expires_at: string };
  };

  /** End the login whose token is sent; with another token, all logins of that person. */
  readonly logout: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: { readonly success: true };
  };

  /** This description. */
  readonly openapi: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: Readonly<Record<string, unknown>>;
  };

  /** Whether the server answers. */
  readonly healthz: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: { readonly status: "ok" };
  };

  /** Whether calls can be made: the ledger can be read and written, and the server is not stopping. */
  readonly readyz: {
    readonly input: Record<string, never>;
    readonly kind: "json";
    readonly answer: { readonly status: "ok" };
  };

  /** Numbers for Prometheus. */
  readonly metrics: { readonly input: Record<string, never>; readonly kind: "text"; readonly answer: string };
}
