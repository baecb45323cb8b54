// The endpoints of all providers, with a model behind them that makes the two calls of the guide. Prints the environment in
// which the providers' packages find them, and ends with its input.
import { openFakeModel } from "../formats/fake-model.ts";
import { openFakeProvider, PROVIDER_KEY } from "../formats/fake-provider.ts";

const model = await openFakeModel((turn, results) => {
  if (turn === 0) {
    return [
      { id: "c1", name: "write_file", input: { path: "notes.txt", content: "- buy milk\n" } },
      { id: "c2", name: "read_file", input: { path: ".env" } },
    ];
  }
  const isRefused = results.some((text) => text.includes("Refused, nothing was run (RULE_DENY, rule no-keys)"));
  return isRefused ? "I made the note. I may not read .env." : `I am confused: ${results.join("; ")}`;
});

// Who is asked by `infer`.
const provider = await openFakeProvider(() => ({ text: "Buy milk.", input: 21, output: 4 }));

const environment = {
  MODELS_URL: provider.url("openai-compatible"),
  MODELS_KEY: PROVIDER_KEY,
  ANTHROPIC_BASE_URL: model.url("anthropic"),
  ANTHROPIC_API_KEY: "k",
  OPENAI_BASE_URL: model.url("openai"),
  OPENAI_API_KEY: "k",
  GOOGLE_GEMINI_BASE_URL: model.url("gemini"),
  GEMINI_API_KEY: "k",
  MISTRAL_SERVER_URL: model.url("mistral"),
  MISTRAL_API_KEY: "k",
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.url("bedrock"),
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "k",
  AWS_SECRET_ACCESS_KEY: "s",
};
process.stdout.write(`${JSON.stringify(environment)}\n`);
process.stdin.resume().on("end", () => process.exit());
