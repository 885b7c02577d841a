/** `tapedeck LINK...` */
import { stat } from "node:fs/promises";
import { findAccount } from "./account-file.ts";
import type { ConvertArguments } from "./arguments.ts";
import { CommandError, EXIT, isAbort, type ExitCode } from "./command-error.ts";
import { convertLinks } from "./convert-links.ts";
import { onInterruption } from "./interruption.ts";
import { JobFeed } from "./job-feed.ts";
import { JsonReport } from "./json-report.ts";
import { warnIfOpen } from "./open-server.ts";
import { Reachability } from "./reachability.ts";
import type { Report } from "./report.ts";
import { ServerClient } from "./server-client.ts";
import { TerminalReport } from "./terminal-report.ts";

/** A server that does not answer must not keep the terminal for longer. */
const CANCEL_MS = 5_000;

/** @throws CommandError */
export async function convertCommand(words: ConvertArguments): Promise<ExitCode> {
  const account = await findAccount(words, process.env);
  await requireFolder(words.folder);
  warnIfOpen(account.server);
  const report: Report =
    words.isJson || !process.stdout.isTTY
      ? new JsonReport((text) => process.stdout.write(text))
      : new TerminalReport(process.stdout);
  const reachability = new Reachability({
    server: account.server,
    waitMs: words.waitMs,
    onChange: (isReachable) => report.connection(isReachable),
  });
  const client = new ServerClient(account, reachability);
  const interruption = new AbortController();
  const active = new Set<string>();
  const interrupt = (): void => {
    if (interruption.signal.aborted) return;
    report.interrupted();
    interruption.abort();
  };
  using cleanUp = new DisposableStack();
  cleanUp.defer(onInterruption(interrupt, () => process.exit(EXIT.interrupted)));
  // Nobody reads on, such as after `| head`.
  process.stdout.on("error", interrupt);
  const feed = cleanUp.use(new JobFeed(account, client));
  try {
    return await convertLinks({ ...words, client, feed, report, active, signal: interruption.signal });
  } catch (error) {
    if (!interruption.signal.aborted || !isAbort(error)) throw error;
    await cancelAll(active, client);
    return EXIT.interrupted;
  } finally {
    report.end();
  }
}

async function cancelAll(active: ReadonlySet<string>, client: ServerClient): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  const outcomes = await Promise.allSettled([...active].map((id) => client.cancel(id, signal)));
  if (outcomes.some(({ status }) => status === "rejected"))
    throw new CommandError(EXIT.interrupted, "The server could not be told, so what runs there goes on.");
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  });
  if (!found?.isDirectory()) throw new CommandError(EXIT.usage, `There is no folder ${folder}. Make it first.`);
}
