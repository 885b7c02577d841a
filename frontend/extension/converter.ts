/** Converts pages: asks the server, follows the jobs, fetches the files. Goes on where a stopped background was. */
import { JobRemovedEvent, SnapshotEvent } from "../../common/events.ts";
import { SENTENCES } from "../../common/errors.ts";
import { Job } from "../../common/job.ts";
import { pause } from "../../common/waiting.ts";
import { conversionPath, readAnswer, Refusal, refusalOf, send, type Call } from "../api-client/api-call.ts";
import { readEvents, type ServerSentEvent } from "../api-client/event-stream.ts";
import { browser, type Tab } from "./browser.ts";
import {
  failPending,
  isReady,
  isUnderWay,
  NOTHING,
  replace,
  requestedNow,
  takeJob,
  takeRemoval,
  takeSnapshot,
  type Conversion,
  type State,
} from "./conversions.ts";
import type { Problems } from "./messages.ts";
import { saveFile } from "./save-file.ts";
import { permissionFor, readSettings, type Settings } from "./settings.ts";
import type { StateStore } from "./state-store.ts";
import type { ExtensionTexts } from "./texts/en.ts";

/** As the server tells readers of its events. */
const RETRY_MS = 2_000;
/** The server gives a sign of life every 25 s. */
const SILENCE_MS = 60_000;

export class Converter {
  readonly #store: StateStore;
  readonly #texts: ExtensionTexts;
  /** Keys of the conversions that are being asked for. */
  readonly #asking = new Set<string>();
  #stream: AbortController | undefined;
  #heardAtMs = 0;

  constructor(store: StateStore, texts: ExtensionTexts) {
    this.#store = store;
    this.#texts = texts;
  }

  /** The button was pressed: fetches what is ready, else converts the page. */
  async press({ url }: Tab): Promise<void> {
    const settings = await readSettings();
    if (settings === undefined) return await browser.runtime.openOptionsPage();
    const { conversions } = await this.#store.read();
    const ready = conversions.filter(isReady);
    if (ready.length > 0) await Promise.all(ready.map((one) => this.#fetchFile(one, settings)));
    else if (!conversions.some((one) => one.link === url))
      await this.convert([{ link: url ?? "", format: settings.format }]);
  }

  /** Resolves when the conversions are kept. What follows may take until the jobs have ended. */
  async convert(pages: readonly Pick<Conversion, "link" | "format">[]): Promise<void> {
    const asked = pages.map(({ link, format }): Conversion => {
      const request = { key: crypto.randomUUID(), link, format };
      // The addresses of other pages, such as settings and files, are nobody's business.
      if (!/^https?:/.test(link)) return { ...request, phase: "failed", sentence: SENTENCES.invalid_link };
      return requestedNow(request);
    });
    await this.#store.change((state) => ({ ...state, conversions: [...state.conversions, ...asked] }));
    void this.goOn();
  }

  /** @returns what has failed, which is told once */
  async takeProblems(): Promise<Problems> {
    const { conversions } = await this.#store.read();
    const problems = conversions.filter((one) => one.phase === "failed");
    await this.#store.change((state) => ({
      ...state,
      conversions: state.conversions.filter((one) => !problems.some(({ key }) => key === one.key)),
    }));
    return problems.map(({ link, format, sentence }) => ({ link, format, sentence }));
  }

  /** The account is another one, or has another token. */
  async useOtherAccount(isOtherServer: boolean): Promise<void> {
    await this.#store.change((state) => (isOtherServer ? NOTHING : { ...state, lastEventId: "" }));
    this.#stream?.abort();
    await this.goOn();
  }

  /** Does what is pending. Called whenever the background starts or is woken. */
  async goOn(): Promise<void> {
    const settings = await readSettings();
    if (settings === undefined) return;
    const { conversions } = await this.#store.read();
    if (this.#stream && Date.now() - this.#heardAtMs > SILENCE_MS) this.#stream.abort();
    const nowMs = Date.now();
    const due = conversions.filter((one) => one.phase === "requested" && Date.parse(one.notBefore) <= nowMs);
    await Promise.all([...due.map((one) => this.#ask(one, settings)), this.#follow()]);
  }

  /** Asks for a conversion, once at a time. */
  async #ask(conversion: Conversion, settings: Settings): Promise<void> {
    if (this.#asking.has(conversion.key)) return;
    this.#asking.add(conversion.key);
    try {
      const answer = await this.#call(settings, "/api/conversions", {
        method: "POST",
        body: { youtubeUrl: conversion.link, format: conversion.format },
        headers: { "idempotency-key": conversion.key },
      });
      const job = await readAnswer(answer, Job, settings.server);
      const { key, link, format } = conversion;
      await this.#store.change((state) =>
        takeJob(replace(state, key, { key, link, format, phase: "accepted", job }), job),
      );
    } catch (error) {
      await this.#settle(conversion, error);
    } finally {
      this.#asking.delete(conversion.key);
    }
    await this.#follow();
  }

  /** Lets a conversion fail, or wait for its turn. */
  async #settle({ key, link, format }: Conversion, error: unknown): Promise<void> {
    if (!(error instanceof Refusal)) throw error;
    const { message: sentence, retryAfterSeconds } = error;
    const isOver = retryAfterSeconds === undefined;
    const notBefore = new Date(Date.now() + (retryAfterSeconds ?? 0) * 1_000).toISOString();
    const base = { key, link, format, sentence };
    const next: Conversion = isOver ? { ...base, phase: "failed" } : { ...base, phase: "requested", notBefore };
    await this.#store.change((state) => replace(state, key, next));
    // The alarm may come later, but comes also when the background was stopped.
    if (!isOver) setTimeout(() => void this.goOn(), retryAfterSeconds * 1_000);
  }

  /** Lets the browser download a file. Asks for its first byte before: a download that is refused has no sentence. */
  async #fetchFile(conversion: Extract<Conversion, { phase: "accepted" }>, settings: Settings): Promise<void> {
    const path = `${conversionPath(conversion.job.id)}/file`;
    try {
      const answer = await this.#call(settings, path, { headers: { range: "bytes=0-0" } });
      if (!answer.ok) throw await refusalOf(answer);
      await answer.body?.cancel();
      const file = { url: settings.server + path, token: settings.token };
      await saveFile(browser.downloads, file, answer.headers);
      await this.#store.change((state) => replace(state, conversion.key, null));
    } catch (error) {
      await this.#settle(conversion, error);
    }
  }

  /** Reads the server's events while a job is under way. */
  async #follow(): Promise<void> {
    while (!this.#stream && (await this.#hasJobs())) {
      const settings = await readSettings();
      if (settings === undefined || this.#stream) return;
      const stream = new AbortController();
      this.#stream = stream;
      try {
        await this.#readStream(settings, stream.signal);
      } catch (error) {
        if (!stream.signal.aborted) await this.#tellBreak(error);
      } finally {
        this.#stream = undefined;
      }
      if (await this.#hasJobs()) await pause(RETRY_MS);
    }
  }

  async #readStream(settings: Settings, signal: AbortSignal): Promise<void> {
    this.#heardAtMs = Date.now();
    const { lastEventId } = await this.#store.read();
    const headers = { accept: "text/event-stream", "last-event-id": lastEventId };
    const answer = await this.#call(settings, "/api/events", { headers, signal });
    if (!answer.ok || answer.body === null) throw await refusalOf(answer);
    await this.#store.change((state) => (state.isLost ? { ...state, isLost: false } : state));
    for await (const event of readEvents(answer.body, () => (this.#heardAtMs = Date.now()))) {
      await this.#store.change((state) => takeEvent(state, event));
      if (!(await this.#hasJobs())) return;
    }
  }

  async #hasJobs(): Promise<boolean> {
    return (await this.#store.read()).conversions.some(isUnderWay);
  }

  /** A refusal ends all that it was about; another break does not, because the server goes on. */
  async #tellBreak(error: unknown): Promise<void> {
    // A broken connection is a TypeError.
    if (!(error instanceof Refusal) && !(error instanceof TypeError)) throw error;
    const refusal = error instanceof Refusal && error.refusesAll ? error : undefined;
    await this.#store.change((state) =>
      refusal ? failPending(state, refusal.message) : state.isLost ? state : { ...state, isLost: true },
    );
  }

  /** @throws Refusal when there is no answer, or no permission to ask */
  async #call(settings: Settings, path: string, call: Call): Promise<Response> {
    const answer = await send(settings, path, call);
    if (answer instanceof Response) return answer;
    if (answer.sentence !== undefined) throw new Refusal(answer.sentence);
    const isAllowed = await browser.permissions.contains(permissionFor(settings.server));
    throw new Refusal(isAllowed ? this.#texts.noServer(settings.server) : this.#texts.notAllowed(settings.server));
  }
}

function takeEvent(state: State, { name, id, data }: ServerSentEvent): State {
  const next = takeData(state, name, data);
  return id === undefined || id === state.lastEventId ? next : { ...next, lastEventId: id };
}

/** Events that are not about jobs, and those of newer servers, are left alone. */
function takeData(state: State, name: string, data: unknown): State {
  if (name === "job") {
    const job = Job.safeParse(data).data;
    return job ? takeJob(state, job) : state;
  }
  if (name === "job:removed") {
    const removed = JobRemovedEvent.safeParse(data).data;
    return removed ? takeRemoval(state, removed.id) : state;
  }
  const snapshot = name === "snapshot" ? SnapshotEvent.safeParse(data).data : undefined;
  return snapshot ? takeSnapshot(state, snapshot) : state;
}
