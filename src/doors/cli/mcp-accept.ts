import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { digestNow, type SeenTool, type SeenUpstream } from "../../wiring/upstreams.ts";
import type { Invocation } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { isYes } from "./is-yes.ts";
import { toolLines, withServer } from "./mcp-servers.ts";
import { type CommandError, showError } from "./show-error.ts";

/** `mcp accept NAME [TOOL…]`: a person's word for what was shown. Without a terminal it has to be named by its digest. */
export function acceptTools(invocation: Invocation): Promise<number> {
  const { flags, terminal, words } = invocation;
  const [name, ...wanted] = words;
  const refused = (error: CommandError): number => {
    showError(error, flags["json"], terminal);
    return OUTCOME_EXIT.refused;
  };
  return withServer({ ...invocation, words: name === undefined ? [] : [name] }, async (gate, seen, fault) => {
    const meant = meantBy(wanted, seen);
    const isNothing = "message" in meant || meant.length === 0;
    // Who could not be asked may offer it all the same. What it said before can be accepted: it is called by its digest only.
    if (fault !== null && isNothing) {
      showError(fault, flags["json"], terminal);
      return OUTCOME_EXIT.failed;
    }
    if ("message" in meant) return refused(meant);
    if (isNothing) {
      terminal.err("nothing of it is held back\n");
      if (flags["json"]) terminal.out(`${visibleJson({ accepted: [] })}\n`);
      return EXIT.ok;
    }
    const broken = meant.filter(({ pin }) => pin.malformed !== undefined);
    const held = meant.filter((tool) => !broken.includes(tool));
    if (held.length === 0) return refused(notSound(broken));
    if (broken.length > 0) terminal.err(`${visibleLine(notSound(broken).message)}\n`);
    for (const tool of held) terminal.err(toolLines(tool, terminal));
    const why = await whyNotMeant(held, invocation);
    if (why !== null) return refused(why);
    const accepted = await gate.upstreams.accept(seen.spec.name, held);
    if ("code" in accepted) {
      showError(accepted, flags["json"], terminal);
      return OUTCOME_EXIT.failed;
    }
    const late = held.map(({ pin }) => pin.definition.name).filter((one) => !accepted.includes(one));
    for (const one of late)
      terminal.err(`${visibleLine(one)} says something else by now, and was not accepted: look at it again\n`);
    terminal.out(
      flags["json"]
        ? `${visibleJson({ accepted, ...(late.length > 0 && { late }) })}\n`
        : `accepted ${accepted.map(visibleLine).join(", ") || "nothing"}\n`,
    );
    return late.length === 0 ? EXIT.ok : OUTCOME_EXIT.refused;
  });
}

/** What is to be accepted: those that are named, or all that are held back. */
function meantBy(
  wanted: readonly string[],
  { spec, tools, offers, code }: SeenUpstream,
): readonly SeenTool[] | CommandError {
  const all = [...code, ...tools, ...offers];
  const nobody = wanted.find((one) => !all.some((tool) => isCalled(tool, one)));
  if (nobody !== undefined)
    return {
      message: `\`${nobody}\` is nothing that it offers`,
      hint: `\`toolgate mcp inspect ${spec.name}\` shows what is`,
    };
  if (wanted.length === 0) return all.filter(({ heldBack }) => heldBack !== null);
  return all.filter((tool) => wanted.some((one) => isCalled(tool, one)));
}

/** By the name that is shown, or by the one that its server has for it. */
const isCalled = ({ name, pin }: SeenTool, given: string): boolean => given === name || given === pin.definition.name;

const notSound = (broken: readonly SeenTool[]): CommandError => ({
  message: broken.map(({ name, heldBack }) => `\`${name}\` can't be accepted: ${heldBack}`).join("; "),
});

/** Null: a person means what they were shown. */
async function whyNotMeant(held: readonly SeenTool[], { flags, terminal }: Invocation): Promise<CommandError | null> {
  const { digest } = flags;
  if (typeof digest === "string") {
    const [one, ...more] = held;
    if (one !== undefined && more.length === 0 && digestNow(one.pin) === digest) return null;
    if (more.length > 0) return { message: NOTHING, hint: "name the one tool that `--digest` is of" };
    return { message: `what it says now has another digest, so ${NOTHING}`, hint: "look at it again" };
  }
  if (!terminal.isInteractive)
    return { message: "a person has to accept this", hint: "use a terminal, or name one tool and its `--digest`" };
  const typed = await terminal.question("accept what they say now? [y]es, [N]o: ");
  return isYes(typed) ? null : { message: NOTHING };
}

const NOTHING = "nothing was accepted";
