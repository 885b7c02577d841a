/** Counts what was sent and answered, and keeps the findings. */

/** The same fault is found by hundreds of requests. */
const SHOWN_OF_A_FAULT = 3;
const MAX_FAULTS = 20;

type Outcome = "2xx" | "3xx" | "429" | "4xx" | "503" | "5xx" | "none";
const OUTCOMES: readonly Outcome[] = ["2xx", "3xx", "429", "4xx", "503", "5xx", "none"];

export class Tally {
  rawRequests = 0;
  /** Those that Schemathesis has made. */
  describedRequests = 0;
  frames = 0;
  /** Connections and conversations that were generated; with the seed they give the next ones. */
  connections = 0;
  conversations = 0;
  readonly #findings = new Map<string, string[]>();
  readonly #kinds = new Map<string, Map<Outcome, number>>();
  readonly #statuses = new Map<number, number>();
  readonly #report: (line: string) => void;

  /** @param report gets each fault when it is first found, because a long run may be broken off */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** @param status null when a request got no answer */
  count(kind: string, status: number | null): void {
    const outcomes = this.#kinds.get(kind) ?? new Map<Outcome, number>();
    this.#kinds.set(kind, outcomes);
    const outcome = outcomeOf(status);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (status !== null) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  /** @param where what was sent, and how to send it again */
  find(fault: string, where: string): void {
    if (!this.#findings.has(fault)) this.#report(`FOUND ${fault}: ${where}`);
    const places = this.#findings.get(fault) ?? [];
    this.#findings.set(fault, places);
    places.push(where);
  }

  isFull(): boolean {
    return this.#findings.size >= MAX_FAULTS;
  }

  get faults(): number {
    return this.#findings.size;
  }

  /** @returns each fault, how often it was found, and its first places */
  findings(): string[] {
    return [...this.#findings].map(([fault, places]) =>
      [`${fault} (${places.length} times)`, ...places.slice(0, SHOWN_OF_A_FAULT)].join("\n    "),
    );
  }

  /** @returns the number of answers with each status */
  statuses(): string {
    const sorted = [...this.#statuses].sort(([one], [other]) => one - other);
    return sorted.map(([status, count]) => `${status}: ${count}`).join(", ");
  }

  /** @returns a line for each kind of request: how many had which outcome */
  table(): string[] {
    const head = ["kind".padEnd(44), ...OUTCOMES.map((outcome) => outcome.padStart(7))].join("");
    const rows = [...this.#kinds].map(([kind, outcomes]) =>
      [kind.padEnd(44), ...OUTCOMES.map((outcome) => String(outcomes.get(outcome) ?? 0).padStart(7))].join(""),
    );
    return [head, ...rows.sort()];
  }
}

function outcomeOf(status: number | null): Outcome {
  if (status === null) return "none";
  if (status === 429) return "429";
  if (status === 503) return "503";
  if (status >= 500) return "5xx";
  if (status >= 400) return "4xx";
  return status >= 300 ? "3xx" : "2xx";
}
