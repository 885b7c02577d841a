/**
 * stripe-mock, the payment provider's own request checker: it knows every call and parameter of the real API and
 * stores nothing. Tests send it the requests that our server sends.
 */
import { ServerProcess } from "../product/server-process.ts";
import { STRIPE_MOCK, prepareGoProgram } from "../setup/go-programs.ts";
import { repositoryDataDir } from "../repository.ts";

export interface StripeMock {
  /** On 127.0.0.1, plain HTTP; it takes any `sk_test_` key. */
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts a stripe-mock on a free port and waits until it listens.
 * @throws SetUpError when it is missing and cannot be built, or ends before it listens
 */
export async function startStripeMock(
  options: { readonly dataDir?: string; readonly log?: (line: string) => void } = {},
): Promise<StripeMock> {
  const { dataDir = repositoryDataDir(), log = () => undefined } = options;
  const program = await prepareGoProgram(STRIPE_MOCK, { dataDir, report: log });
  const mock = new ServerProcess({
    name: "stripe-mock",
    // HTTPS cannot be turned off beside -http-addr; on its usual port only one process could run at a time.
    command: [program, "-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0"],
    ready: /Listening for HTTP at address: 127\.0\.0\.1:(\d+)/,
    onOutput: log,
  });
  await mock.start();
  return { port: Number(mock.readyLine?.[1]), stop: () => mock.stop() };
}
