/** What the command tells while it works; one form is for people, one for programs. */
import type { Job } from "../../common/job.ts";
import type { CommandError } from "./command-error.ts";

export interface Report {
  /** A newer version of the job of a link. */
  job(link: string, job: Job): void;
  /** The link waits for its turn, for the reason that the server gives. */
  waiting(link: string, sentence: string): void;
  downloading(link: string, receivedBytes: number, sizeBytes: number | undefined): void;
  saved(link: string, path: string, sizeBytes: number): void;
  failed(link: string, error: CommandError): void;
  /** The server has stopped answering, or answers again. */
  connection(isReachable: boolean): void;
  /** Ctrl-C was pressed. */
  interrupted(): void;
  /** Nothing follows. */
  end(): void;
}
