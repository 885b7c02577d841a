/** Tells the log when the clock of the machine is wrong: leases, waits and expiry are moments of this clock. */
import type { Logger } from "pino";
import { SECOND_MS } from "../../common/durations.ts";
import type { Domain } from "../domain/domain.ts";

/** How often the clock is compared with one that only counts on. */
const LOOK_MS = 10 * SECOND_MS;
/** A clock that is set by less disturbs nothing: a lease is longer. */
const NOTICED_MS = 5 * SECOND_MS;

const REMEDY = "keep the clock right with NTP (`timedatectl set-ntp true`, or the time settings of a NAS)";

/** @returns what a clock that is behind stored moments means; null where it is not behind */
function remarkOnStoredTime(newest: Date, now: Date): string | null {
  const behindMs = newest.getTime() - now.getTime();
  if (behindMs < NOTICED_MS) return null;
  return (
    `The clock of this machine is at ${now.toISOString()}, and a job was stored at ${newest.toISOString()}: jobs that ` +
    `were queued before wait until the clock is there. Set it right, then ${REMEDY}`
  );
}

/** @param stepMs how much further the clock went than the time that has passed; negative when it went back */
function remarkOnStep(stepMs: number): string {
  const seconds = Math.round(Math.abs(stepMs) / SECOND_MS);
  if (stepMs > 0)
    return `The clock went forward by ${seconds} s, or the machine slept: files whose time is over go now`;
  return (
    `The clock went back by ${seconds} s: jobs that were queued before wait as long; cancel them and convert again, or ` +
    `wait. Then ${REMEDY}`
  );
}

/** Warns of a clock that is behind what is stored, and from then on of each step that it makes. */
export async function watchMachineClock(jobs: Domain["jobs"], log: Logger): Promise<Disposable> {
  const newest = await jobs.findOne({}, { createdAt: 1 }).sort({ createdAt: -1 }).lean();
  const remark = newest && remarkOnStoredTime(newest.createdAt, new Date());
  if (remark !== null) log.warn(remark);

  let aheadMs = Date.now() - performance.now();
  const timer = setInterval(() => {
    const nowAheadMs = Date.now() - performance.now();
    const stepMs = nowAheadMs - aheadMs;
    aheadMs = nowAheadMs;
    if (Math.abs(stepMs) >= NOTICED_MS) log.warn(remarkOnStep(stepMs));
  }, LOOK_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
