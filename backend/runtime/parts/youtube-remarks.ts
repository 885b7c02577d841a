/** What an operator has to know of YouTube: reasons that no rule knows, and clients that yt-dlp does not have. */
import type { Logger } from "pino";
import type { YouTubeRemarks } from "../../../common/operator.ts";
import { RecentMap } from "../../domain/recent-map.ts";
import { withoutLinks } from "../../domain/jobs/without-links.ts";

/** After this time a reason is logged again, and is shown no more unless it is met again. */
const KEPT_MS = 24 * 60 * 60_000;
/** Reasons have names and numbers in them, so there may be any number. */
const MAX_REASONS = 20;

export class RemarkBook {
  readonly #log: Pick<Logger, "warn">;
  readonly #reasons = new RecentMap<string>({ keptMs: KEPT_MS, maxSize: MAX_REASONS });
  readonly #stopped = new RecentMap<true>({ keptMs: KEPT_MS, maxSize: 1 });
  readonly #hasScripts: boolean;
  #clients: readonly string[] = [];

  /** @param hasScripts whether this machine has a runtime for the site's scripts */
  constructor(log: Pick<Logger, "warn">, hasScripts = true) {
    this.#log = log;
    this.#hasScripts = hasScripts;
  }

  /** The runtime was stopped while it ran a script. */
  scriptStopped(): void {
    this.#stopped.set("script", true);
  }

  /** @param words of yt-dlp, which may hold links and ids */
  unknownReason(words: string): void {
    const reason = withoutLinks(words);
    // The same one with other numbers, such as a time, says nothing more.
    const key = reason.replace(/\d+/g, "0");
    if (this.#reasons.get(key) !== undefined) return;
    this.#reasons.set(key, reason);
    this.#log.warn({ detail: reason }, "YouTube gives a reason that this version does not know");
  }

  /** @param clients of YOUTUBE_CLIENTS that the yt-dlp in use does not have */
  unknownClients(clients: readonly string[]): void {
    this.#clients = clients;
    if (clients.length > 0)
      this.#log.warn(`YOUTUBE_CLIENTS: this yt-dlp does not know ${clients.join(", ")}, and asks without them`);
  }

  get remarks(): YouTubeRemarks {
    const stopped = this.#stopped.get("script") ? "stopped" : null;
    return {
      unknownClients: [...this.#clients],
      unknownReasons: [...this.#reasons.values()],
      scripts: this.#hasScripts ? stopped : "absent",
    };
  }
}
