import { headWith, KEEP_SECRETS_CLOSED, PROTECT_MACHINERY, TAIL } from "./profile-parts.ts";

/**
 * What `toolgate init --profile risk` writes: the S-FLOW seed's way of asking. The risk is that of the whole call, so
 * what reads and writes is asked about for both.
 */
export const RISK_CONFIG = `${headWith("files, shell")}
# The risk of a call is that of the worst it touches. LOW: reading, and commands that only show something (ls, cat,
# grep). MEDIUM: writing, connecting, tools elsewhere, and commands whose work mostly stays here (npm test, git diff,
# node). HIGH: deleting, every other command (gcc, tar, git push, what nobody knows), what can't be told
# beforehand, and writing what machines run (.exe .so .conf .deb …). MEDIUM is asked for 5 minutes, HIGH for 10.
rules:
  - id: low-risk
    effect: allow
    touch: { read: ["./**"], exec: ["**"] }
    when: risk == "LOW"
    because: What only looks at the workspace is harmless.

  - id: medium-risk
    effect: ask
    otherwise: true   # only where no other rule speaks, so that "always" can answer for a single thing
    touch: { read: ["./**"], write: ["./**"], exec: ["**"], git: ["*"], connect: ["*:*"], tool: ["*"] }
    dynamic: true     # also commands with words that are known only when they run: ls *.json
    grant: { write: ["./**"] } # to programs, once somebody has said yes; no network
    when: risk == "MEDIUM"
    because: A person looks at each change.

  - id: high-risk
    effect: ask
    otherwise: true
    touch:
      read: ["./**"]
      write: ["./**"]
      delete: ["./**"]
      exec: ["**"]
      git: ["*"]
      connect: ["*:*"]
      tool: ["*"]
      unknown: true
    dynamic: true
    grant: { write: ["./**"] }
    when: risk == "HIGH"
    because: This may break the machine, or be in no backup.

  - id: never
    effect: deny
    touch:
      exec:
        - rm **
        - dd **
        - mkfs **
        - sudo **
        - su **
        - doas **
        - curl **
        - wget **
        - nc **
        - ncat **
        - ssh **
        - scp **
        - ssh-keygen **
        - openssl **
        - gpg **
        - apt **
        - apt-get **
        - kill **
        - killall **
        - pkill **
        - reboot **
        - shutdown **
        - nmap **
        - iptables **
    because: Nobody can be asked about these; take out what you need. There are tools to delete files and to fetch.

${KEEP_SECRETS_CLOSED}
${PROTECT_MACHINERY}
${TAIL}`;
