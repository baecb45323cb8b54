import type { SessionInfo } from "../../wiring/gate.ts";

/** A session as the wire has it; never with its token. */
export const sessionRecord = ({
  id,
  project,
  kind,
  label,
  parentId,
  lease,
  openedBy,
  openedAt,
  state,
}: SessionInfo) => ({
  session_id: id,
  project_id: project,
  kind,
  label,
  parent_id: parentId,
  lease,
  opened_by: openedBy,
  opened_at: openedAt,
  state,
});
