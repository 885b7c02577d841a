/**
 * What the processes say about the sites. Each process that extracts reports the state of its own extractions over the
 * bus, again and again; all processes collect the reports. A report that is not repeated expires, so that a process
 * that died says nothing any more, and one that starts later hears the others within an interval, or at once when it
 * asks.
 */
import { randomUUID } from "node:crypto";
import { Site, SiteFailureReason, type SiteFailure, type SiteStatus } from "../../../common/site-status.ts";
import type { Bus, BusEvents } from "../bus.ts";
import { RecentMap } from "../recent-map.ts";
import type { SiteHealth, SiteHealthState } from "./site-health.ts";

const INTERVAL_MS = 10_000;
/** Two repetitions may be lost. */
const EXPIRY_MS = 3.5 * INTERVAL_MS;

type Report = BusEvents["site:report"];

/** Reports the health of a site over the bus until it is stopped. */
export class SiteReporter implements Disposable {
  readonly #bus: Bus;
  readonly #site: Site;
  readonly #health: SiteHealth;
  readonly #by = randomUUID();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  /** The outcome that was reported last. */
  #reported: string | null = null;

  constructor(bus: Bus, site: Site, health: SiteHealth) {
    this.#bus = bus;
    this.#site = site;
    this.#health = health;
    this.#timer = setInterval(() => this.#report(), INTERVAL_MS).unref();
    this.#unsubscribe = bus.subscribe("site:asked", () => this.#report());
  }

  /** Must be called after each change of the health; reports it at once if its outcome is another. */
  update(): void {
    if (this.#health.state.outcome !== this.#reported) this.#report();
  }

  /** Withdraws the report. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#send({ outcome: null, links: 0 });
  }

  #report(): void {
    this.#send(this.#health.state);
  }

  #send({ outcome, links }: SiteHealthState): void {
    if (outcome === null && this.#reported === null) return;
    this.#reported = outcome;
    this.#bus.publish("site:report", { by: this.#by, site: this.#site, outcome, links });
  }
}

/** Collects the reports of all processes, and tells which sites fail. */
export class SiteReports implements Disposable {
  /** By process and site. */
  readonly #reports = new RecentMap<Report>({ keptMs: EXPIRY_MS, onDropped: () => this.#update() });
  readonly #handlers = new Set<(status: SiteStatus) => void>();
  readonly #unsubscribe: () => void;
  #status: SiteStatus = { failing: [] };

  constructor(bus: Bus) {
    this.#unsubscribe = bus.subscribe("site:report", (report) => {
      this.#reports.set(`${report.by} ${report.site}`, report);
      this.#update();
    });
    bus.publish("site:asked", {});
  }

  get status(): SiteStatus {
    return this.#status;
  }

  /**
   * Calls the handler when a site begins to fail, fails for another reason, or works again.
   * @returns a function that removes the handler
   */
  onChange(handler: (status: SiteStatus) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#reports.clear();
    this.#handlers.clear();
  }

  #update(): void {
    const reports = [...this.#reports.values()];
    const failing = Site.options.flatMap((site) => failureOf(site, reports) ?? []);
    if (JSON.stringify(failing) === JSON.stringify(this.#status.failing)) return;
    this.#status = { failing };
    for (const handler of this.#handlers) handler(this.#status);
  }
}

/** A process counts as much as it has tried links. @returns undefined unless the site fails for more than half */
function failureOf(site: Site, reports: readonly Report[]): SiteFailure | undefined {
  const known = reports.filter((report) => report.site === site && report.outcome !== null);
  const weightOf = (outcome?: string): number =>
    known
      .filter((report) => outcome === undefined || report.outcome === outcome)
      .reduce((sum, { links }) => sum + Math.max(1, links), 0);
  // A reason that only a newer version knows is left out.
  const [worst] = SiteFailureReason.options
    .map((reason) => ({ reason, weight: weightOf(reason) }))
    .toSorted((a, b) => b.weight - a.weight);
  const failing = SiteFailureReason.options.reduce((sum, reason) => sum + weightOf(reason), 0);
  return worst && 2 * failing > weightOf() ? { site, reason: worst.reason } : undefined;
}
