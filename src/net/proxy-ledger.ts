import { NET_LIMITS } from "../domain/net-limits.ts";
import { visibleLine } from "../domain/visible.ts";
import type { EgressLog, EgressRecord } from "../ports/egress.ts";

const HOST_SHOWN_MAX = 300;

/** What a proxy remembers of its connections: a bounded list and a count, whatever a program does. */
export class ProxyLedger {
  readonly #connections: EgressRecord[] = [];
  #unlisted = 0;

  add(record: EgressRecord): void {
    if (this.#connections.length >= NET_LIMITS.proxyRecords.default) this.#unlisted += 1;
    // The host may be anything that a program wrote where a host should be.
    else this.#connections.push({ ...record, host: visibleLine(record.host.slice(0, HOST_SHOWN_MAX)) });
  }

  get log(): EgressLog {
    return { connections: [...this.#connections], unlisted: this.#unlisted };
  }
}
