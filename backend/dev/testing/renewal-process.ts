/**
 * A process that renews yt-dlp once, for tests that kill it or run two of them. It prints each step, stops at the one
 * that the test names until a line comes on standard input, and prints the outcome.
 */
import { once } from "node:events";
import { openTestRenewal, RenewalOrder } from "./test-renewal.ts";

const { stopAt, ...order } = RenewalOrder.parse(JSON.parse(process.argv[2] ?? ""));
const { renewal } = await openTestRenewal({
  ...order,
  onStep: async (step) => {
    process.stdout.write(`step ${step}\n`);
    if (step === stopAt) await once(process.stdin, "data");
  },
});
process.stdout.write(`outcome ${JSON.stringify(await renewal.check())}\n`);
process.exit(0);
