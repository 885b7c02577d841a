/**
 * What the processes say of themselves. They report only when they are asked, and they are asked only while an operator
 * looks.
 */
import type { ProcessReport } from "../../../common/operator.ts";
import type { Bus } from "../bus.ts";
import { RecentMap } from "../recent-map.ts";

/** A process that has not answered for so long has probably ended. */
const EXPIRY_MS = 10_000;

export class ProcessReports implements Disposable {
  readonly #bus: Bus;
  readonly #unsubscribe: readonly (() => void)[];
  /** By the id of the process. */
  readonly #reports = new RecentMap<ProcessReport>({ keptMs: EXPIRY_MS });

  /** @param readOwn reads how this process is */
  constructor(bus: Bus, readOwn: () => Promise<ProcessReport>, onError: (error: unknown) => void) {
    this.#bus = bus;
    this.#unsubscribe = [
      bus.subscribe("operator:asked", () => {
        readOwn().then((report) => bus.publish("operator:report", report), onError);
      }),
      bus.subscribe("operator:report", (report) => this.#reports.set(report.id, report)),
    ];
  }

  /**
   * Asks all processes.
   * @returns what they answered to earlier questions, sorted by name; the answers to this one come later
   */
  ask(): ProcessReport[] {
    this.#bus.publish("operator:asked", {});
    return [...this.#reports.values()].toSorted((a, b) => a.name.localeCompare(b.name));
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#reports.clear();
  }
}
