const PREFIX = "toolgate-";

/** What a question of the gate's own is called in front of an editor; an agent can't speak under such a name. */
export const ownCallId = (approvalId: string): string => `${PREFIX}${approvalId}`;

export const isOfTheGate = (toolCallId: unknown): boolean =>
  typeof toolCallId === "string" && toolCallId.startsWith(PREFIX);
