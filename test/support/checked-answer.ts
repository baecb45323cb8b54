import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../src/domain/json.ts";
import { openApi } from "../../src/doors/rest/openapi.ts";
import { ROUTES } from "../../src/doors/rest/routes.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(openApi(ROUTES), "openapi");

const checks = new Map<string, ReturnType<typeof ajv.compile>>();

/** Whether an answer is what the OpenAPI document says. Throws where it is not. */
export function checkAnswer(method: string, url: string, { status, body }: { status: number; body: unknown }): void {
  const path = url.split("?")[0] ?? "";
  const route = ROUTES.find((one) => one.method === method && pattern(one.path).test(path));
  const isProblem = (body as JsonObject | null)?.["type"] !== undefined && status >= 400;
  const schema = isProblem ? { $ref: "#/components/schemas/Problem" } : route?.answers[status]?.schema;
  if (schema === undefined) throw new Error(`${method} ${url} answers ${status}, which is not documented`);
  const key = JSON.stringify(schema);
  const check = checks.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')));
  checks.set(key, check);
  if (!check(body))
    throw new Error(`${method} ${url} ${status}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`);
}

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
