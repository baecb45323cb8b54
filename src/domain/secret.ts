const SHOWN = "[secret]";

/**
 * A value that must not be shown. Whatever prints, serialises or inspects it gets `[secret]`, so that a log line, an
 * error's cause or a ledger entry can't hold it by accident. `reveal()` is called where the value is used (`sandbox/`,
 * `net/`, the model client) and where it is looked for (`redact/`), nowhere else.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return SHOWN;
  }
}
