/** Lets one window of the browser act on a job, when several have started it. */
import { z } from "zod";
import { parseJson } from "../../../common/parse-json.ts";

const KEY = "tapedeck.downloaded";
/** Older jobs have ended long ago. */
const MAX_CLAIMS = 50;

const Claims = z.array(z.string()).catch([]);

/**
 * Claims a job.
 * @param storage shared by all windows
 * @returns whether no window has claimed it before
 */
export async function claimOnce(id: string, storage: Pick<Storage, "getItem" | "setItem">): Promise<boolean> {
  function claim(): boolean {
    const claims = Claims.parse(parseJson(storage.getItem(KEY) ?? ""));
    if (claims.includes(id)) return false;
    storage.setItem(KEY, JSON.stringify([...claims, id].slice(-MAX_CLAIMS)));
    return true;
  }
  // Browsers have locks on secure pages only; without them two windows must claim in the same millisecond to collide.
  const { locks } = typeof navigator === "undefined" ? {} : (navigator as Partial<Navigator>);
  return locks ? locks.request(KEY, claim) : claim();
}
