import type { Route } from "./route.ts";
import { approve, reject } from "./routes/answer-approval.ts";
import { listApprovals, showApproval } from "./routes/approvals.ts";
import { allEvents, chatStream, projectEvents } from "./routes/events.ts";
import { cancelExecution, listExecutions, showExecution } from "./routes/executions.ts";
import { login, logout } from "./routes/login.ts";
import { healthz, openapiOf, readyz } from "./routes/server.ts";
import { availableTools, executeTool } from "./routes/tools.ts";

/** All routes of this door. */
export const ROUTES: readonly Route[] = [
  availableTools,
  executeTool,
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
  login,
  logout,
  openapiOf(() => ROUTES),
  healthz,
  readyz,
];
