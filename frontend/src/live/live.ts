/**
 * Keeps the stores current: pushes while the socket is connected, polls while it is not. Which of
 * the two brings a version does not matter, the jobs store merges them.
 */
import type { Socket } from "socket.io-client";
import { ApiError, isAbort } from "../api/api.ts";
import type { Api } from "../api/api.ts";
import { createGathering } from "./gathering.ts";
import { listenToLife } from "./page-life.ts";
import { createPolling } from "../api/polling.ts";
import { listenTo } from "./socket.ts";
import type { ConnectionStore } from "../stores/connection.ts";
import type { DeviceStore } from "../stores/device.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { UserStore } from "../stores/user.ts";

export const POLL_INTERVAL_MS = 5_000;
const POLL_TIMEOUT_MS = 15_000;
/** The server asks every 10 s whether a socket is there; one that has heard nothing for longer may be dead. */
const SILENCE_MS = 15_000;

export interface LiveParts {
  readonly api: Api;
  /** Made with `autoConnect: false`; started here. */
  readonly socket: Socket;
  readonly jobs: JobsStore;
  readonly device: DeviceStore;
  readonly user: UserStore;
  readonly connection: ConnectionStore;
  /** Where `online`, `offline`, `pageshow` and `pagehide` are heard. */
  readonly browser: EventTarget;
  /** Where `visibilitychange` and `resume` are heard. */
  readonly page: EventTarget & { readonly visibilityState: DocumentVisibilityState };
}

export interface Live {
  /** Resolves when the first list has arrived or failed; the socket is opened after it. */
  start(): Promise<void>;
  /** Asks for the list again, for instance after the first one failed. */
  retry(): Promise<void>;
  /** Asks who is here and what they have. Without an answer the last one stands. */
  refreshIdentity(): Promise<void>;
  stop(): void;
}

export function createLive(parts: LiveParts): Live {
  const { api, socket, jobs, device, user, connection, browser, page } = parts;
  const life = new AbortController();
  let polls = api.conditionalPolls();
  /** What is known of the visitor and the server is missing, or known to have changed. */
  let isIdentityStale = true;

  const polling = createPolling({
    intervalMs: POLL_INTERVAL_MS,
    timeoutMs: POLL_TIMEOUT_MS,
    onError() {
      connection.getState().unanswered();
      jobs.getState().listFailed();
    },
    // One after the other: the first answer gives the browser the identity that the second one tells.
    async poll(signal) {
      const list = await polls.list(signal);
      if (list) jobs.getState().receiveList(list);
      connection.getState().refreshed();
      const info = await polls.deviceInfo(signal);
      if (info) {
        device.getState().receiveInfo(info);
        if (info.authenticated !== (user.getState().phase === "signed-in")) isIdentityStale = true;
      }
      if (isIdentityStale) await loadIdentity(signal);
    },
  });

  /** Changes that come while the answers are on their way count: the last to ask is the last to tell. */
  let question = 0;

  async function loadIdentity(signal: AbortSignal = life.signal): Promise<void> {
    const own = ++question;
    // Who is known to be signed out need not be asked for: the browser would write the 401 to its console.
    const isSignedOut = device.getState().info?.authenticated === false;
    const [config, person] = await Promise.all([api.getConfig(signal), isSignedOut ? null : api.getUser(signal)]);
    if (own !== question) return;
    device.getState().receiveConfig(config);
    const { phase, user: before } = user.getState();
    user.getState().receiveUser(person);
    isIdentityStale = false;
    if (phase === "loading" || before?.id === person?.id) return;
    // Another person's list is another list: what was missing from the last one may be in this one.
    pushes.drop();
    jobs.getState().forget();
    void retry();
  }

  /** Without an answer it stays stale: the next connection or return to the page asks again. */
  async function refreshIdentity(): Promise<void> {
    isIdentityStale = true;
    try {
      const info = await api.conditionalPolls().deviceInfo(life.signal);
      if (info) device.getState().receiveInfo(info);
      await loadIdentity();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof TypeError || isAbort(error))) throw error;
    }
  }

  const pushes = createGathering((all) => jobs.getState().receiveAll(all));

  function fallBack(): void {
    connection.getState().lost();
    if (polling.isRunning) return;
    // Fresh tags: what pushes brought since the last poll is unknown to the old ones.
    polls = api.conditionalPolls();
    void polling.start();
  }

  async function retry(): Promise<void> {
    jobs.getState().listAskedAgain();
    polls = api.conditionalPolls();
    if (socket.connected) socket.disconnect().connect();
    else await polling.now();
  }

  let isOpened = false;
  /** The first socket of a page is opened right after asking who is here, and greets with the same answer. */
  let isJustAsked = false;

  /** Back-off has no meaning once the network is known to be back. */
  function hurry(): void {
    if (!isOpened) return;
    if (socket.connected) {
      if (isIdentityStale) void refreshIdentity();
      return;
    }
    socket.disconnect().connect();
    void polling.now();
  }

  let heardMs = Date.now();

  /** After the page has slept a socket looks alive that may be long dead: a new one brings a snapshot. */
  function wake(): void {
    if (!isOpened) return;
    fallBack();
    socket.disconnect().connect();
  }

  return {
    async start() {
      const { signal } = life;
      socket.io.on("ping", () => {
        heardMs = Date.now();
      });
      listenTo(socket, {
        onConnect() {
          heardMs = Date.now();
          polling.stop();
          connection.getState().connected();
          // What was missed comes by itself; a new connection is told everything instead.
          if (socket.recovered) connection.getState().refreshed();
          if (isIdentityStale) void refreshIdentity();
        },
        onLost: fallBack,
        onSnapshot(snapshot) {
          jobs.getState().receiveSnapshot(snapshot);
          connection.getState().refreshed();
        },
        onJob(job) {
          heardMs = Date.now();
          pushes.add(job);
        },
        onRemoved: (id) => jobs.getState().receive({ id, removed: true }),
        onIdentity(identity) {
          const { tier, isSignedIn } = device.getState();
          const isKnown =
            isJustAsked && !isIdentityStale && tier === identity.tier && isSignedIn === identity.authenticated;
          isJustAsked = false;
          if (isKnown) return;
          device.getState().receiveIdentity(identity);
          void refreshIdentity();
        },
        onUsage: (usage) => user.getState().receiveUsage(usage),
        onDismissed: () => {
          isIdentityStale = true;
        },
      });
      browser.addEventListener(
        "online",
        () => {
          connection.getState().setOnline(true);
          hurry();
        },
        { signal },
      );
      browser.addEventListener(
        "offline",
        () => {
          connection.getState().setOnline(false);
          // The socket itself would notice a dead network only at its next missed heartbeat.
          socket.io.engine?.close();
        },
        { signal },
      );
      listenToLife({
        browser,
        page,
        signal,
        onHidden() {
          polling.stop();
          socket.disconnect();
        },
        onAwake: wake,
        onSeen: () => (Date.now() - heardMs > SILENCE_MS ? wake() : hurry()),
      });
      await polling.start();
      if (signal.aborted) return;
      isOpened = true;
      isJustAsked = !isIdentityStale;
      socket.connect();
    },
    retry,
    refreshIdentity,
    stop() {
      life.abort();
      polling.stop();
      pushes.drop();
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
}
