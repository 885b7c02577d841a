/** Shows a line of progress for each link at work below what has ended. */
import { BYTES_PER_MB } from "../../common/tiers.ts";
import type { Job } from "../../common/job.ts";
import type { CommandError } from "./command-error.ts";
import { printable, progressLine, stateOf, cut, type Progress } from "./progress-line.ts";
import type { Report } from "./report.ts";

/** Of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;

export interface Terminal {
  readonly columns?: number;
  write(text: string): unknown;
}

export class TerminalReport implements Report {
  readonly #terminal: Terminal;
  /** By link. */
  readonly #shown = new Map<string, Progress>();
  /** A line below the others. */
  #notice: string | undefined;
  #drawnLines: readonly string[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  job(link: string, job: Job): void {
    // A download has percents of its own.
    this.#show(link, { title: job.title, percent: job.status === "completed" ? 0 : job.progress, state: stateOf(job) });
  }

  waiting(link: string, sentence: string): void {
    this.#show(link, { title: link, percent: 0, state: "waiting" });
    this.#notice = sentence;
    this.#draw();
  }

  downloading(link: string, receivedBytes: number, sizeBytes: number | undefined): void {
    const title = this.#shown.get(link)?.title ?? link;
    const percent = sizeBytes === undefined ? 0 : (receivedBytes / sizeBytes) * 100;
    this.#show(link, { title, percent, state: "saving" });
  }

  saved(link: string, path: string, sizeBytes: number): void {
    this.#end(link, `${printable(path)}  ${(sizeBytes / BYTES_PER_MB).toFixed(1)} MB`);
  }

  failed(link: string, error: CommandError): void {
    this.#end(link, `${printable(this.#shown.get(link)?.title ?? link)}: ${printable(error.message)}`);
  }

  connection(isReachable: boolean): void {
    this.#notice = isReachable ? undefined : "The connection is lost. Trying again …";
    this.#draw();
  }

  interrupted(): void {
    this.#notice = "Canceling … Ctrl-C again leaves at once.";
    this.#draw();
  }

  end(): void {
    this.#shown.clear();
    this.#notice = undefined;
    this.#draw();
  }

  #show(link: string, progress: Progress): void {
    this.#shown.set(link, progress);
    this.#draw();
  }

  /** What has ended stays in the terminal, in as many lines as it needs. */
  #end(link: string, text: string): void {
    this.#shown.delete(link);
    this.#notice = undefined;
    this.#draw(`${text}\n`);
  }

  /** @param above stays above the lines of progress */
  #draw(above = ""): void {
    const columns = this.#terminal.columns || USUAL_COLUMNS;
    const lines = [...this.#shown.values()].map((progress) => progressLine(progress, columns));
    if (this.#notice !== undefined) lines.push(cut(this.#notice, columns - 1));
    if (above === "" && lines.join("\n") === this.#drawnLines.join("\n")) return;
    // Up to the first line, then erase all below (ECMA-48: CUU, ED).
    const clear = this.#drawnLines.length === 0 ? "" : `\u001b[${this.#drawnLines.length}A\r\u001b[J`;
    this.#terminal.write(clear + above + lines.map((line) => `${line}\n`).join(""));
    this.#drawnLines = lines;
  }
}
