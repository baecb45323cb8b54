/** Reading is allowed, writing asked about, `.env` denied; the rest is covered by no rule. */
export const CONFIG = `rules:
  - { id: read, effect: allow, touch: { read: ["./**"] } }
  - { id: write, effect: ask, touch: { write: ["./**"] }, because: A person looks at each change. }
  - { id: secrets, effect: deny, touch: { read: ["./.env"], write: ["./.env"] } }
`;

export const WRITE_ALLOWED = `rules:
  - { id: all, effect: allow, touch: { read: ["./**"], write: ["./**"] } }
`;
