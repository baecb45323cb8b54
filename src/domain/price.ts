/** What a million tokens of some models cost, in the currency that budgets count in: as many millionths a token. */
export interface Price {
  /** `provider/model`; `*` stands for any characters. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
}
