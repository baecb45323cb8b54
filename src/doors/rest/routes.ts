import type { Route } from "./route.ts";
import { approve, reject } from "./routes/answer-approval.ts";
import { listApprovals, showApproval } from "./routes/approvals.ts";
import { readBlob, storeBlob } from "./routes/blobs.ts";
import { allEvents, chatStream, projectEvents, toolEvents } from "./routes/events.ts";
import { cancelExecution, listExecutions, showExecution } from "./routes/executions.ts";
import { acknowledgeTool, submitResult } from "./routes/executors.ts";
import { ledgerEntries, proveEntry, verifyLedger } from "./routes/ledger.ts";
import { login, loginLink, logout } from "./routes/login.ts";
import { metrics } from "./routes/metrics.ts";
import { checkRules, explainCall, showRules } from "./routes/rules.ts";
import { healthz, openapiOf, readyz } from "./routes/server.ts";
import { listSessions, openSession, revokeSession, showSession } from "./routes/sessions.ts";
import { availableTools, executeTool } from "./routes/tools.ts";

/** All routes of this door. */
export const ROUTES: readonly Route[] = [
  availableTools,
  executeTool,
  acknowledgeTool,
  submitResult,
  listApprovals,
  showApproval,
  approve,
  reject,
  listExecutions,
  showExecution,
  cancelExecution,
  chatStream,
  projectEvents,
  allEvents,
  toolEvents,
  readBlob,
  storeBlob,
  ledgerEntries,
  verifyLedger,
  proveEntry,
  openSession,
  listSessions,
  showSession,
  revokeSession,
  showRules,
  checkRules,
  explainCall,
  login,
  loginLink,
  logout,
  openapiOf(() => ROUTES),
  healthz,
  readyz,
  metrics,
];
