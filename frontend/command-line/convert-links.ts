/** Converts several links and saves their files. */
import type { Job } from "../../common/job.ts";
import type { Format } from "../../common/tiers.ts";
import { CommandError, EXIT, type ExitCode } from "./command-error.ts";
import { download } from "./download.ts";
import type { JobFeed } from "./job-feed.ts";
import type { Report } from "./report.ts";
import type { ServerClient } from "./server-client.ts";

/** As many conversions as the free plan allows at a time. */
const AT_A_TIME = 3;

export interface ConvertOptions {
  readonly links: readonly string[];
  readonly format: Format;
  readonly folder: string;
  readonly client: ServerClient;
  readonly feed: JobFeed;
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Ids of the jobs that have not ended. */
  readonly active: Set<string>;
}

/**
 * A link that fails does not stop the others, unless they would fail alike.
 * @returns how the command ends
 * @throws CommandError noServer; AbortError
 */
export async function convertLinks(options: ConvertOptions): Promise<ExitCode> {
  const queue = options.links.values();
  let exitCode: ExitCode = EXIT.done;
  const work = async (): Promise<void> => {
    // All of them take from one iterator.
    for (const link of queue) if (!(await isConverted(link, options))) exitCode = EXIT.failed;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return exitCode;
}

/** @returns false after telling why a link has failed */
async function isConverted(link: string, options: ConvertOptions): Promise<boolean> {
  options.signal.throwIfAborted();
  try {
    await convertLink(link, options);
    return true;
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.failed) throw error;
    options.report.failed(link, error);
    return false;
  }
}

async function convertLink(link: string, options: ConvertOptions): Promise<void> {
  const { client, feed, report, signal, folder, format, active } = options;
  const onWait = (sentence: string): void => report.waiting(link, sentence);
  const job = await client.createConversion({ youtubeUrl: link, format }, signal, onWait);
  active.add(job.id);
  const ended = await feed.untilEnded(job, (version) => report.job(link, version), signal);
  active.delete(job.id);
  requireCompleted(ended);
  const onBytes = (receivedBytes: number, sizeBytes: number | undefined): void =>
    report.downloading(link, receivedBytes, sizeBytes);
  const saved = await download({ client, jobId: job.id, folder, signal, onBytes });
  report.saved(link, saved.path, saved.sizeBytes);
}

function requireCompleted(job: Job): void {
  if (job.status === "failed") throw new CommandError(EXIT.failed, job.error.message, { code: job.error.code });
  if (job.status === "canceled")
    throw new CommandError(EXIT.failed, "The conversion was canceled meanwhile.", { code: "conflict" });
}
