import { HEAD, KEEP_SECRETS_CLOSED, PROTECT_MACHINERY, TAIL } from "./profile-parts.ts";

/**
 * What `toolgate init --profile risk` writes: the S-FLOW seed's way of asking. The risk is that of the whole call, so
 * what reads and writes is asked about for both.
 */
export const RISK_CONFIG = `${HEAD}
# The risk of a call is that of the worst it touches. LOW: reading. MEDIUM: writing, connecting, tools elsewhere.
# HIGH: deleting, programs, what can't be told beforehand, and writing what machines run (.exe .so .conf .deb …).
rules:
  - id: low-risk
    effect: allow
    touch: { read: ["./**"] }
    when: risk == "LOW"
    because: What only reads the workspace is harmless.

  - id: medium-risk
    effect: ask
    touch: { read: ["./**"], write: ["./**"], connect: ["*:*"], tool: ["*"] }
    when: risk == "MEDIUM"
    because: A person looks at each change.

  - id: high-risk
    effect: ask
    touch: { read: ["./**"], write: ["./**"], delete: ["./**"], connect: ["*:*"], tool: ["*"], unknown: true }
    when: risk == "HIGH"
    because: This may break the machine, or be in no backup.

${KEEP_SECRETS_CLOSED}
${PROTECT_MACHINERY}
${TAIL}`;
