/** Thrown inside the reader only, where unwinding by hand would hide the grammar; `readJson` makes a value of it. */
export class JsonTextFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
