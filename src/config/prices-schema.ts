const PRICES_MAX = 1000;
const PRICE = {
  type: "number",
  minimum: 0,
  maximum: 1_000_000,
  "x-unit": "currency per million tokens",
  "x-because": "a token that costs more than one of the currency is a mistake of its unit",
} as const;

/** `prices`. */
export const PRICES = {
  description:
    "What models cost, for budgets of `costMicros`: with a price, what a call did not say it cost is counted by its tokens. Of several that fit, the dearest holds.",
  type: "array",
  default: [],
  maxItems: PRICES_MAX,
  "x-unit": "count",
  "x-because": "each of them is compared with each model that is asked",
  items: {
    type: "object",
    required: ["model", "input", "output"],
    additionalProperties: false,
    properties: {
      model: {
        description: "`provider/model`; `*` stands for any characters.",
        type: "string",
        minLength: 1,
        maxLength: 256,
        "x-unit": "codepoints",
        "x-because": "no model has a longer name",
      },
      input: { description: "Of a million tokens that it reads, in the currency of the budgets.", ...PRICE },
      output: { description: "Of a million tokens that it answers with.", ...PRICE },
    },
  },
} as const;
