/**
 * Pushes the operator's view to the browsers of operators who look at it. While nobody looks, nothing is read. A process
 * pushes to its own sockets only.
 */
import type { Domain } from "../domain/domain.ts";
import type { OperatorView } from "../domain/operator/operator-view.ts";
import { OperatorWatch } from "../domain/operator/operator-watch.ts";
import { operatorsAmong } from "../domain/operator/operators.ts";
import type { SocketServer } from "./socket-types.ts";

export interface OperatorPushSettings {
  readonly operatorView: Pick<OperatorView, "readState">;
  /** From the end of one push to the next one. */
  readonly operatorPushMs: number;
  onError(error: unknown): void;
}

export class OperatorPushes implements Disposable {
  readonly #io: SocketServer;
  readonly #domain: Domain;
  readonly #settings: OperatorPushSettings;
  readonly #watch: OperatorWatch;
  #timer: NodeJS.Timeout | undefined;

  constructor(io: SocketServer, domain: Domain, settings: OperatorPushSettings) {
    this.#io = io;
    this.#domain = domain;
    this.#settings = settings;
    this.#watch = new OperatorWatch(domain.bus, () => this.#schedule());
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#watch[Symbol.dispose]();
  }

  /** The call that began the watch has answered with the state, so the first push is an interval later. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#push()
        .catch((error: unknown) => this.#settings.onError(error))
        .finally(() => {
          this.#timer = undefined;
          // Also for sessions without a socket here: it may be about to connect again.
          if (this.#watch.current().length > 0) this.#schedule();
        });
    }, this.#settings.operatorPushMs);
  }

  /** @returns sessions that look and have a socket here */
  #sessionsHere(): { readonly sessionId: string; readonly userId: string }[] {
    const { rooms } = this.#io.sockets.adapter;
    return this.#watch.current().filter(({ sessionId }) => rooms.has(roomOf(sessionId)));
  }

  async #push(): Promise<void> {
    const sessions = this.#sessionsHere();
    if (sessions.length === 0) return;
    // Somebody may be no operator any more; a session that has ended has no socket.
    const operators = await operatorsAmong(
      this.#domain,
      sessions.map(({ userId }) => userId),
    );
    const allowed = sessions.filter(({ userId }) => operators.has(userId));
    for (const { sessionId, userId } of sessions) if (!operators.has(userId)) this.#watch.forget(sessionId);
    if (allowed.length === 0) return;
    const state = await this.#settings.operatorView.readState();
    this.#io.local.to(allowed.map(({ sessionId }) => roomOf(sessionId))).emit("operator", state);
  }
}

function roomOf(sessionId: string): string {
  return `session:${sessionId}`;
}
