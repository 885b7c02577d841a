/** Tells each change as a line of JSON. */
import type { Job } from "../../common/job.ts";
import type { CommandError } from "./command-error.ts";
import type { Report } from "./report.ts";

export class JsonReport implements Report {
  readonly #write: (text: string) => void;
  /** Whole percent of each download, as it was told last. */
  readonly #percents = new Map<string, number>();

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  job(link: string, job: Job): void {
    this.#line({ event: "job", link, job });
  }

  waiting(link: string, message: string): void {
    this.#line({ event: "waiting", link, message });
  }

  downloading(link: string, receivedBytes: number, sizeBytes: number | undefined): void {
    const percent = sizeBytes === undefined ? 0 : Math.floor((receivedBytes / sizeBytes) * 100);
    if (this.#percents.get(link) === percent) return;
    this.#percents.set(link, percent);
    this.#line({ event: "downloading", link, receivedBytes, sizeBytes });
  }

  saved(link: string, path: string, sizeBytes: number): void {
    this.#line({ event: "saved", link, path, sizeBytes });
  }

  failed(link: string, { code, message }: CommandError): void {
    this.#line({ event: "failed", link, code, message });
  }

  connection(isReachable: boolean): void {
    this.#line({ event: "connection", isReachable });
  }

  interrupted(): void {
    this.#line({ event: "interrupted" });
  }

  end(): void {
    this.#percents.clear();
  }

  #line(value: object): void {
    this.#write(`${JSON.stringify(value)}\n`);
  }
}
