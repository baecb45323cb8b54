import { expect, it } from "vitest";
import { answered, asks, openAcpEditor, updates } from "../../support/acp-pair.ts";
import { needs } from "../../support/parts.ts";

const READ = { id: "read", effect: "allow", touch: { read: ["./**"] } } as const;

needs("bwrap")("an agent's request for permission", () => {
  it("is answered by a rule that allows it, once, and recorded with its end", async () => {
    await using editor = await openAcpEditor({ rules: [READ] });
    const path = editor.scratch.put("a.txt");
    const came = await editor.prompt(
      asks({ kind: "read", locations: [{ path }] }),
      updates({ status: "completed", content: [{ type: "content", content: { type: "text", text: "read it" } }] }),
    );
    expect(came[0]).toEqual(answered("2"));
    expect(editor.asked).toEqual([]);
    expect(editor.scratch.rows()).toMatchObject([{ tool: "agent_tool", state: "completed" }]);
  });
});
