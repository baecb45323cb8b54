import type { Suite } from "../harness.ts";
import { openBareCommits } from "../parts/bare-commits.ts";
import { openBareServer } from "../parts/bare-server.ts";
import { openGovernedServer, TOKEN } from "../parts/governed-server.ts";
import { inFlight } from "../parts/in-flight.ts";

const ROUNDS = 12;
/** As many as let what an approval goes through be compiled: the calls beside it are so after one round. */
const WARM_UP_ROUNDS = 8;
const APPROVED = 10;
// All rounds together stay below what one caller may make in a minute.
const CALLS = 160;
const WIDTH = 16;

/** Waits that are there before the clock runs; each round lets some of them go. */
const WAITING = (ROUNDS + WARM_UP_ROUNDS) * APPROVED;

/** What governing costs over HTTP, against handlers that neither judge nor record anything. */
export const server: Suite = {
  name: "server",
  rounds: ROUNDS,
  warmUpRounds: WARM_UP_ROUNDS,
  aims: [
    {
      says: "from the approval to the waiting caller's answer / a bare handler with the same two commits",
      value: (usOf) => usOf("approval, governed") / usOf("approval, in memory, and two bare commits"),
      unit: "ratio",
      bound: { atMost: 1.8 },
    },
    {
      says: "throughput of governed calls / a bare handler, 16 in flight",
      value: (usOf) => usOf("bare handler, 16 in flight") / usOf("governed call, 16 in flight"),
      unit: "ratio",
      bound: { atLeast: 0.2 },
    },
  ],
  open: async ({ scratch }) => {
    const bare = await openBareServer();
    const commits = await openBareCommits(scratch, WAITING);
    const committing = await openBareServer(() => commits.calls(1));
    const governed = await openGovernedServer(scratch, WAITING);
    const post = async (url: string, body: unknown = {}): Promise<unknown> => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify(body),
      });
      const told = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(told));
      return told;
    };
    const project = `${governed.url}/my/projects/default`;
    const stop = new AbortController();
    for (const { url } of [bare, committing, governed]) void listen(`${url}/events`, stop.signal);
    const bareWaits = Array.from({ length: WAITING }, (_, n) => post(`${bare.url}/wait/${n}`));
    const governedWaits = Array.from({ length: WAITING }, (_, n) =>
      post(`${project}/tools/execute`, { tool_name: "act", session_id: String(n) }),
    );
    const ids = await openApprovals(project);
    const committingWaits = Array.from({ length: WAITING }, (_, n) => post(`${committing.url}/wait/${n}`));
    let bareDone = 0;
    let committingDone = 0;
    let governedDone = 0;
    return {
      note: "the governed approval commits the answer with the start, and the end, both synced; its caller is answered after the second; the bare commits are what no server that does so can undercut",
      cases: [
        {
          name: "approval, in memory",
          unitsPerRound: APPROVED,
          round: async () => {
            for (let n = 0; n < APPROVED; n++, bareDone++) {
              await Promise.all([post(`${bare.url}/approve/${bareDone}`), bareWaits[bareDone]]);
            }
          },
        },
        {
          name: "approval, in memory, and two bare commits",
          unitsPerRound: APPROVED,
          round: async () => {
            for (let n = 0; n < APPROVED; n++, committingDone++) {
              await Promise.all([post(`${committing.url}/approve/${committingDone}`), committingWaits[committingDone]]);
            }
          },
        },
        {
          name: "approval, governed",
          unitsPerRound: APPROVED,
          round: async () => {
            for (let n = 0; n < APPROVED; n++, governedDone++) {
              const approved = post(`${project}/approvals/${ids.get(String(governedDone))}/approve`);
              await Promise.all([approved, governedWaits[governedDone]]);
            }
          },
        },
        {
          name: "bare handler, 16 in flight",
          unitsPerRound: CALLS,
          round: () => inFlight(WIDTH, CALLS, () => post(`${bare.url}/echo`)),
        },
        {
          name: "governed call, 16 in flight",
          unitsPerRound: CALLS,
          round: () => inFlight(WIDTH, CALLS, () => post(`${project}/tools/execute`, { tool_name: "echo" })),
        },
      ],
      close: async () => {
        stop.abort();
        await bare.close();
        await committing.close();
        commits.close();
        await governed.close();
      },
    };
  },
};

/** Somebody who hears of every answer, as the person who gives them does. */
async function listen(url: string, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` }, signal });
    for await (const _ of body ?? []);
  } catch {
    // it was told to stop
  }
}

/** By the session of each, once all are there. */
async function openApprovals(project: string): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    const ids = new Map<string, string>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const response = await fetch(`${project}/approvals?limit=${PAGE}${cursor && `&cursor=${cursor}`}`, {
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      const { approvals, next } = (await response.json()) as ApprovalsPage;
      for (const { session_id, approval_id } of approvals) ids.set(session_id, approval_id);
      cursor = next;
    }
    if (ids.size === WAITING) return ids;
  }
}

/** As many as a page has at most. */
const PAGE = 100;

interface ApprovalsPage {
  readonly approvals: readonly { readonly session_id: string; readonly approval_id: string }[];
  readonly next: string | null;
}
