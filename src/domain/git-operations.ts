/** What the `git` tool can do: the operations of the APM2 seed. Rules name them. */
export const GIT_OPERATIONS = [
  ...(["CLONE", "FETCH", "DIFF", "COMMIT", "PUSH", "STATUS", "LOG", "BRANCH", "CHECKOUT"] as const),
  ...(["MERGE", "REBASE", "PULL", "RESET", "STASH", "TAG", "REMOTE", "ADD", "SHOW"] as const),
] as const;

export type GitOperation = (typeof GIT_OPERATIONS)[number];
