/** The environment, as far as settings refer to it. Only `config/` reads it. */
export type Variables = Readonly<Record<string, string | undefined>>;
