import type { FoundCalls } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

/** The seed's `{"toolCalls": [{id, toolId, parameters}]}`. */
export const seedCalls = (message: ResponsePart): FoundCalls => ({
  calls: message
    .member("toolCalls")
    .items()
    .map((call) => {
      const parameters = call.member("parameters");
      return {
        id: call.member("id").optionalText(),
        name: call.member("toolId").text(),
        input: { kind: "value", value: parameters.isAbsent ? {} : parameters.value },
      };
    }),
  cutBy: null,
});
