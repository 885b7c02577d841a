/**
 * Keeps the stores current: with pushes while the socket is connected, with polls while it is not.
 * Both may deliver the same version of a job; the jobs store merges them.
 */
import type { Socket } from "socket.io-client";
import type { Api } from "../api/api.ts";
import { ConditionalPolls } from "../api/conditional-polls.ts";
import { createPolling } from "../api/polling.ts";
import { IdentityLoader } from "./identity-loader.ts";
import { PushBuffer } from "./push-buffer.ts";
import { listenToPageLifecycle } from "./page-lifecycle.ts";
import { listenToSocket } from "./socket.ts";
import type { SocketListener } from "./socket.ts";
import { POLL_INTERVAL_MS } from "../stores/connection.ts";
import type { ConnectionStore } from "../stores/connection.ts";
import type { DeviceStore } from "../stores/device.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { SiteStatusStore } from "../stores/site-status.ts";
import type { UserStore } from "../stores/user.ts";

const POLL_TIMEOUT_MS = 15_000;
/** A job that was started while no socket is connected has its first news after this time. */
const FIRST_NEWS_MS = 500;
/** The server sends a ping every 10 s; a socket that has received nothing for longer may be dead. */
const SILENCE_MS = 15_000;

export interface LiveParts {
  readonly api: Api;
  /** Created with `autoConnect: false`; opened by `start`. */
  readonly socket: Socket;
  readonly jobs: JobsStore;
  readonly device: DeviceStore;
  readonly user: UserStore;
  readonly connection: ConnectionStore;
  readonly sites: SiteStatusStore;
  /** Target of the events `online`, `offline`, `pageshow` and `pagehide`. */
  readonly browser: EventTarget;
  /** Target of the events `visibilitychange` and `resume`. */
  readonly page: EventTarget & { readonly visibilityState: DocumentVisibilityState };
}

export interface Live {
  /** Resolves when the first list has arrived or failed; the socket is opened after it. */
  start(): Promise<void>;
  /** Loads the list again, for instance after the first one failed. */
  retry(): Promise<void>;
  /** Loads the visitor's identity again; after a failed request the old one stays. */
  refreshIdentity(): Promise<void>;
  stop(): void;
}

export class LiveUpdates implements Live {
  private readonly parts: LiveParts;
  private readonly stopped = new AbortController();
  private readonly identity: IdentityLoader;
  private readonly pushes: PushBuffer;
  private readonly polling = createPolling({
    intervalMs: POLL_INTERVAL_MS,
    timeoutMs: POLL_TIMEOUT_MS,
    onError: () => this.onPollFailed(),
    poll: (signal) => this.poll(signal),
  });
  private conditionalPolls: ConditionalPolls;
  /** True once the socket may be opened. */
  private isOpened = false;
  /** True until the first socket's identity event: it repeats what was loaded just before. */
  private isIdentityFresh = false;
  private lastReceivedMs = Date.now();
  private isListing = false;
  private newsTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: LiveParts) {
    const { api, jobs, device, user } = parts;
    this.parts = parts;
    this.conditionalPolls = new ConditionalPolls(api.client);
    this.pushes = new PushBuffer((received) => jobs.getState().receiveAll(received));
    this.identity = new IdentityLoader({
      api,
      device,
      user,
      onUserChanged: () => this.reloadJobs(),
      signal: this.stopped.signal,
    });
  }

  async start(): Promise<void> {
    this.listenToSocket();
    this.listenToNetwork();
    this.listenToPage();
    this.listenToJobs();
    await this.polling.start();
    if (this.stopped.signal.aborted) return;
    this.isOpened = true;
    this.isIdentityFresh = !this.identity.isStale;
    this.parts.connection.getState().opening();
    this.parts.socket.connect();
  }

  async retry(): Promise<void> {
    const { api, jobs, socket } = this.parts;
    jobs.getState().listRequested();
    this.conditionalPolls = new ConditionalPolls(api.client);
    if (socket.connected) socket.disconnect().connect();
    else await this.polling.now();
  }

  refreshIdentity(): Promise<void> {
    return this.identity.refresh();
  }

  stop(): void {
    const { socket } = this.parts;
    this.stopped.abort();
    this.polling.stop();
    clearTimeout(this.newsTimer);
    this.pushes.clear();
    socket.removeAllListeners();
    socket.disconnect();
  }

  /** The first request runs alone: its response sets the cookie that the others need. */
  private async poll(signal: AbortSignal): Promise<void> {
    const { jobs, connection, device, user, sites } = this.parts;
    const list = await this.conditionalPolls.list(signal);
    this.isListing = true;
    if (list) jobs.getState().receiveList(list);
    this.isListing = false;
    connection.getState().listReceived();
    const [info, status] = await Promise.all([
      this.conditionalPolls.deviceInfo(signal),
      this.conditionalPolls.siteStatus(signal),
    ]);
    if (status) sites.getState().receive(status);
    if (info) {
      device.getState().receiveInfo(info);
      if (info.userId !== (user.getState().user?.id ?? null)) this.identity.isStale = true;
    }
    if (this.identity.isStale) await this.identity.load(signal);
  }

  /** For a job that the visitor has just started, and for another list. Does nothing while a socket is connected: it pushes the news. */
  private pollSoon(): void {
    clearTimeout(this.newsTimer);
    this.newsTimer = setTimeout(() => void this.polling.now(), FIRST_NEWS_MS);
  }

  private onPollFailed(): void {
    this.parts.connection.getState().pollFailed();
    this.parts.jobs.getState().listFailed();
  }

  /** Another user has another list: a job that was missing from the last list may be in the next. */
  private reloadJobs(): void {
    this.pushes.clear();
    this.parts.jobs.getState().clear();
    void this.retry();
    // A poll may be on its way, which has read the list of the other user.
    this.pollSoon();
  }

  private startPolling(): void {
    this.parts.connection.getState().lost();
    if (this.polling.isRunning) return;
    // New ETags: the old ones do not cover what pushes changed since the last poll.
    this.conditionalPolls = new ConditionalPolls(this.parts.api.client);
    void this.polling.start();
  }

  /** Connects without waiting for the back-off, because the network is known to be back. */
  private reconnectNow(): void {
    const { socket } = this.parts;
    if (!this.isOpened) return;
    if (socket.connected) {
      if (this.identity.isStale) void this.identity.refresh();
      return;
    }
    socket.disconnect().connect();
    void this.polling.now();
  }

  /** After the page was frozen the socket may be dead without an event: a new one brings a snapshot. */
  private replaceSocket(): void {
    if (!this.isOpened) return;
    this.startPolling();
    this.parts.socket.disconnect().connect();
  }

  private onConnect(): void {
    this.lastReceivedMs = Date.now();
    this.polling.stop();
    this.parts.connection.getState().connected();
    if (this.identity.isStale) void this.identity.refresh();
  }

  private onIdentity(event: Parameters<SocketListener["onIdentity"]>[0]): void {
    const { device } = this.parts;
    const { tier, isSignedIn } = device.getState();
    const isKnown =
      this.isIdentityFresh && !this.identity.isStale && tier === event.tier && isSignedIn === event.authenticated;
    this.isIdentityFresh = false;
    if (isKnown) return;
    device.getState().receiveIdentity(event);
    void this.identity.refresh();
  }

  private listenToSocket(): void {
    const { socket, jobs, user, connection, sites } = this.parts;
    socket.io.on("ping", () => {
      this.lastReceivedMs = Date.now();
    });
    listenToSocket(socket, {
      onConnect: () => this.onConnect(),
      onLost: () => this.startPolling(),
      onSnapshot(snapshot) {
        jobs.getState().receiveSnapshot(snapshot);
        connection.getState().listReceived();
      },
      onJob: (job) => {
        this.lastReceivedMs = Date.now();
        this.pushes.add(job);
      },
      onRemoved: (id) => jobs.getState().receive({ id, removed: true }),
      onIdentity: (event) => this.onIdentity(event),
      onSites: (status) => sites.getState().receive(status),
      onUsage: (usage) => user.getState().receiveUsage(usage),
      onSessionEnded: () => {
        this.identity.isStale = true;
      },
    });
  }

  private listenToJobs(): void {
    const stopListening = this.parts.jobs.subscribe((now, before) => {
      if (now.table.size > before.table.size && !this.isListing) this.pollSoon();
    });
    this.stopped.signal.addEventListener("abort", stopListening);
  }

  private listenToNetwork(): void {
    const { browser, connection, socket } = this.parts;
    const { signal } = this.stopped;
    browser.addEventListener(
      "online",
      () => {
        connection.getState().setOnline(true);
        this.reconnectNow();
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
  }

  private listenToPage(): void {
    const { browser, page, socket } = this.parts;
    listenToPageLifecycle({
      browser,
      page,
      signal: this.stopped.signal,
      onHidden: () => {
        this.polling.stop();
        socket.disconnect();
      },
      onResumed: () => this.replaceSocket(),
      onVisible: () => {
        if (Date.now() - this.lastReceivedMs > SILENCE_MS) this.replaceSocket();
        else this.reconnectNow();
      },
    });
  }
}
