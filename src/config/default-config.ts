import { headWith, KEEP_SECRETS_CLOSED, PROTECT_MACHINERY, READING_COMMANDS, TAIL } from "./profile-parts.ts";

/** What `toolgate init` writes. It teaches: each rule says why it is there. */
export const DEFAULT_CONFIG = `${headWith("files, shell")}
rules:
  - id: read-workspace
    effect: allow
    touch: { read: ["./**"] }
    because: Reading the workspace is harmless.

${KEEP_SECRETS_CLOSED}
  - id: write-workspace
    effect: ask       # allow, once you trust the agent with your files
    otherwise: true   # only where no other rule speaks, so that "always" can answer for a single file
    touch: { write: ["./**"] }
    because: A person looks at each change.

  - id: delete-workspace
    effect: ask
    otherwise: true
    touch: { delete: ["./**"] }
    because: What is deleted may be in no backup.

${READING_COMMANDS}
  - id: other-commands
    effect: ask       # "always" lets one command through; add a rule for more: exec: ["npm run **"]
    otherwise: true
    touch: { exec: ["**"], unknown: true }
    dynamic: true
    grant: { write: ["./**"] } # to the command, after a yes; hosts on the network have to be granted by name
    because: A person looks at each command that may change something.

${PROTECT_MACHINERY}
${TAIL}`;
