/** Plays the file of one job at a time, also while it is made. */
import { contentTypeOf } from "../../../common/file-types.ts";
import type { Job } from "../../../common/job.ts";
import { jobsById, serverNow } from "../stores/jobs.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { PlayerStore, PlayProblem } from "../stores/player.ts";
import { canGrow, playGrowing } from "./growing-media.ts";

/** Changed when a tab begins to play; the others pause then. */
const PLAYING_KEY = "tapedeck.playing";
/** How far the keys of a headset or a lock screen move it. */
const SKIP_SECONDS = 10;

export interface PlayerParts {
  readonly store: PlayerStore;
  readonly jobs: JobsStore;
  readonly makeElement: (kind: "audio" | "video") => HTMLMediaElement;
  /** Absent in old browsers. */
  readonly session: MediaSession | undefined;
  /** Gets the `storage` events of other tabs. */
  readonly windows: EventTarget;
  /** Shared by all tabs. */
  readonly storage: Pick<Storage, "setItem">;
}

type PlayableJob = Extract<Job, { downloadUrl?: string | undefined }> & { downloadUrl: string };

/** What is open for the job that is played. */
interface Open {
  readonly element: HTMLMediaElement;
  readonly jobId: string;
  /** Whether the file was still made when it was opened. */
  readonly isEarly: boolean;
  readonly abort: AbortController;
}

function playable(job: Job | undefined): PlayableJob | undefined {
  const url = job && "downloadUrl" in job ? job.downloadUrl : undefined;
  return url === undefined ? undefined : (job as PlayableJob);
}

/** Whether this browser plays the job's file, as far as it is there. */
export function canPlay(job: Job): boolean {
  const type = playable(job) && contentTypeOf(job);
  if (type === undefined || (job.status === "processing" && !canGrow())) return false;
  const known = playedTypes.get(type) ?? document.createElement(kindOf(type)).canPlayType(type) !== "";
  playedTypes.set(type, known);
  return known;
}

/** Asked once for each type, not for each row. */
const playedTypes = new Map<string, boolean>();

const kindOf = (type: string) => (type.startsWith("video/") ? "video" : "audio");

export class Player {
  readonly #parts: PlayerParts;
  #open: Open | undefined;
  /** The piece that is played; another act of the visitor replaces it. */
  #piece: object | undefined;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    const { jobs, windows } = parts;
    jobs.subscribe(() => this.#followJob());
    windows.addEventListener("storage", (event) => {
      if (this.#open && event instanceof StorageEvent && event.key === PLAYING_KEY) this.#pause(this.#open.element);
    });
    this.#answerKeys();
  }

  /** Plays a job, pauses it, or lets it go on where it was. */
  toggle(job: Job): void {
    this.#piece = undefined;
    const { jobId, isPlaying, positionSeconds } = this.#parts.store.getState();
    const element = this.#open?.element;
    if (jobId !== job.id) this.#start(job, 0);
    else if (!element) this.#start(job, positionSeconds);
    else if (isPlaying) this.#pause(element);
    else this.#play(element);
  }

  /** Moves within what is there. */
  seek(seconds: number): void {
    this.#piece = undefined;
    const element = this.#open?.element;
    if (!element) return;
    element.currentTime = Math.max(0, Math.min(seconds, this.#parts.store.getState().heldSeconds));
    this.#show();
  }

  /** Plays a piece of a job's file from its beginning. */
  playPiece(job: Job, fromSeconds: number, toSeconds: number): void {
    const open = this.#open;
    if (open?.jobId !== job.id) this.#start(job, fromSeconds);
    else {
      open.element.currentTime = fromSeconds;
      this.#play(open.element);
    }
    if (this.#open) this.#endAt(this.#open, toSeconds);
  }

  /** Looked at with each frame: an element tells its position four times a second only. */
  #endAt(open: Open, seconds: number): void {
    const piece = {};
    this.#piece = piece;
    const look = (): void => {
      if (this.#open !== open || this.#piece !== piece) return;
      if (open.element.currentTime >= seconds) this.#pause(open.element);
      // Without frames nobody sees the page; then it plays on.
      if (this.#parts.store.getState().isPlaying) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }

  stop(): void {
    this.#close();
    const { store } = this.#parts;
    store.setState(store.getInitialState(), true);
  }

  #start(job: Job, fromSeconds: number, isPlaying = true): void {
    const file = playable(job);
    if (!file) return;
    this.#close();
    const { store, makeElement } = this.#parts;
    const kind = kindOf(contentTypeOf(job));
    const element = makeElement(kind);
    const abort = new AbortController();
    const isEarly = job.status === "processing";
    this.#open = { element, jobId: job.id, isEarly, abort };
    store.setState({
      ...store.getInitialState(),
      jobId: job.id,
      isPlaying,
      positionSeconds: fromSeconds,
      durationSeconds: job.durationSeconds,
      video: kind === "video" ? (element as HTMLVideoElement) : null,
    });
    this.#listen(element, abort.signal);
    this.#describe(job);
    const begin = (): void => {
      // Before the element has the file, this is where it begins.
      if (fromSeconds > 0) element.currentTime = fromSeconds;
      // It may have been paused while the file was asked for.
      if (store.getState().isPlaying) this.#play(element);
    };
    if (!isEarly) {
      element.src = file.downloadUrl;
      return begin();
    }
    // An iPhone lets a player begin later only if this press has used it.
    element.load();
    playGrowing(element, file.downloadUrl, job.durationSeconds, abort.signal, begin).catch((error: unknown) => {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      this.#break(element);
    });
  }

  #pause(element: HTMLMediaElement): void {
    element.pause();
    // An element without a file yet says nothing.
    this.#parts.store.setState({ isPlaying: false });
  }

  #play(element: HTMLMediaElement): void {
    const { store, storage } = this.#parts;
    store.setState({ isPlaying: true });
    storage.setItem(PLAYING_KEY, String(Date.now()));
    element.play().catch((error: unknown) => {
      if (!(error instanceof DOMException)) throw error;
      // `AbortError`: it was paused or got another source. Of a source that fails the element tells, too.
      if (error.name === "NotAllowedError") this.#pause(element);
    });
  }

  #listen(element: HTMLMediaElement, signal: AbortSignal): void {
    const { store } = this.#parts;
    const on = (types: string, handle: () => void): void => {
      for (const type of types.split(" ")) element.addEventListener(type, handle, { signal });
    };
    on("timeupdate seeked progress durationchange loadedmetadata", () => this.#show());
    on("play", () => store.setState({ isPlaying: true }));
    on("pause", () => store.setState({ isPlaying: false }));
    on("ended", () => this.stop());
    on("error", () => this.#break(element));
  }

  #show(): void {
    const { store, jobs, session } = this.#parts;
    const open = this.#open;
    if (!open) return;
    const { currentTime, buffered } = open.element;
    const job = jobsById(jobs.getState()).get(open.jobId);
    if (job?.status === "completed" && Date.parse(job.expiresAt) <= serverNow(jobs.getState())) return this.stop();
    const known = Number.isFinite(open.element.duration) ? open.element.duration : undefined;
    const durationSeconds = known ?? job?.durationSeconds;
    // The element itself asks for what it lacks, unless it has a MediaSource.
    const isWhole = job?.status === "completed" && !open.element.src.startsWith("blob:");
    const bufferedSeconds = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
    const heldSeconds = (isWhole ? durationSeconds : undefined) ?? Math.max(currentTime, bufferedSeconds);
    store.setState({ positionSeconds: currentTime, durationSeconds, heldSeconds });
    if (durationSeconds !== undefined)
      session?.setPositionState({ duration: durationSeconds, position: Math.min(currentTime, durationSeconds) });
  }

  /** Goes on in the finished file if there is one, else says what to do. */
  #break(element: HTMLMediaElement): void {
    const open = this.#open;
    if (open?.element !== element) return;
    const job = jobsById(this.#parts.jobs.getState()).get(open.jobId);
    const { isPlaying } = this.#parts.store.getState();
    if (open.isEarly && job?.status === "completed" && playable(job)) this.#start(job, element.currentTime, isPlaying);
    else this.#fail("broken");
  }

  #fail(problem: PlayProblem): void {
    this.#close();
    this.#parts.store.setState({ isPlaying: false, problem, video: null });
  }

  #followJob(): void {
    const { store, jobs } = this.#parts;
    const { jobId, problem } = store.getState();
    if (jobId === null) return;
    const job = jobsById(jobs.getState()).get(jobId);
    if (playable(job)) return;
    const isMadeAnew = job?.status === "queued" || job?.status === "pending" || job?.status === "processing";
    if (!isMadeAnew) this.stop();
    else if (problem !== "startsOver") this.#fail("startsOver");
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    open.abort.abort();
    open.element.pause();
    open.element.removeAttribute("src");
    // Ends its requests.
    open.element.load();
    const { session } = this.#parts;
    if (session) session.metadata = null;
  }

  /** For the lock screen and the keys of a keyboard or headset. */
  #describe({ title, thumbnailUrl }: Job): void {
    const { session } = this.#parts;
    if (!session) return;
    const artwork = thumbnailUrl === undefined ? [] : [{ src: thumbnailUrl, type: "image/jpeg" }];
    session.metadata = new MediaMetadata({ title, artwork });
  }

  #answerKeys(): void {
    const { session, store } = this.#parts;
    if (!session) return;
    const position = (): number => store.getState().positionSeconds;
    const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
      play: () => this.#open && this.#play(this.#open.element),
      pause: () => this.#open && this.#pause(this.#open.element),
      stop: () => this.stop(),
      seekto: ({ seekTime = position() }) => this.seek(seekTime),
      seekbackward: ({ seekOffset = SKIP_SECONDS }) => this.seek(position() - seekOffset),
      seekforward: ({ seekOffset = SKIP_SECONDS }) => this.seek(position() + seekOffset),
    };
    for (const [action, handler] of Object.entries(handlers))
      session.setActionHandler(action as MediaSessionAction, handler);
  }
}
