/**
 * Films of rows: no control may come to where another one was, because a finger may be on its way to that one.
 */
import { expect, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { HOUR_MS } from "../../../common/durations.ts";
import type { Job } from "../../../common/job.ts";
import { downloadNotes } from "../client/download-notes.ts";
import { player } from "../client/player.ts";
import { rowNote } from "../client/row-note.ts";
import { currentJob } from "../client/stores.ts";
import { RENDER_INTERVAL_MS } from "../live/push-buffer.ts";
import type { SavingApp } from "../platform/saving-app.ts";
import { stopClock } from "./actions.ts";
import { fakeApi, unanswered } from "./fake-api.ts";
import { openPage } from "./open-page.tsx";
import { makeUser } from "./sample-answers.ts";
import { makeJob } from "./sample-jobs.ts";
import { LANGUAGES } from "../texts/languages.ts";
import type { Language } from "../texts/languages.ts";
import { showLanguage } from "../texts/store.ts";
import { RowAdditions } from "../features/queue/RowAdditions.tsx";

type Fields = Parameters<typeof makeJob>[0];

/** A change of a job, how many controls its row then has, and what a finger does there after that. */
interface Moment {
  readonly fields: NonNullable<Fields>;
  readonly controls: number;
  readonly finger?: (job: Job) => void;
  /** How many controls the row has then. */
  readonly thenControls?: number;
}

interface Way {
  /** What the job is in all of its moments. */
  readonly about?: Fields;
  readonly moments: readonly Moment[];
}

const LATER = "2099-01-01T00:00:00.000Z";
const downloadUrl = "/api/conversions/one/file";

const queued: Moment = { fields: { status: "queued" }, controls: 1 };
const pending: Moment = { fields: { status: "pending" }, controls: 1 };
const begun: Moment = { fields: { status: "processing", progress: 5 }, controls: 1 };
/** Play, Download, Cancel. */
const offered: Moment = { fields: { status: "processing", progress: 40, downloadUrl }, controls: 3 };
const encoded: Moment = { ...offered, fields: { ...offered.fields, stage: "convert", progress: 80 } };
const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
/** In seconds. */
export const receipt = { waitSeconds: 1, siteSeconds: 2, lineSeconds: 3, ourSeconds: 4 };
const finished = { status: "completed", downloadUrl, fileSize: 28_100_000, expiresAt, receipt };
/** Play, Ready, Cut again, To my phone, Download, Remove. */
const ready: Moment = { fields: finished, controls: 6 };
/** Convert again, Remove. */
const expired: Moment = { fields: { ...finished, downloadUrl: undefined }, controls: 2 };
/** Retry and Remove. */
const failed: Moment = { fields: { status: "failed" }, controls: 2 };
const again: Moment = { fields: { status: "queued", attempt: 2 }, controls: 1 };
const failedAgain: Moment = { fields: { status: "failed", attempt: 2 }, controls: 2 };

const press = (selector: string) => (job: Job) => {
  const control = document.querySelector<HTMLElement>(`[data-job="${job.id}"] ${selector}`);
  if (!control) throw new Error(`no ${selector}`);
  control.click();
};

/** Ways that a job goes; each moment is a change of the one before. */
const WAYS: Readonly<Record<string, Way>> = {
  file: { moments: [queued, pending, begun, offered, encoded, ready, expired] },
  // In the converter.
  current: { moments: [queued, pending, begun, offered, encoded, ready, expired] },
  receipt: {
    moments: [
      queued,
      begun,
      // And the link to all receipts.
      { ...ready, finger: press("[aria-expanded]"), thenControls: 7 },
      { ...expired, controls: 3 },
    ],
  },
  video: {
    about: { format: "mp4", quality: "1080p", shortfall: { reason: "site", heightLines: 720 }, interlaced: true },
    moments: [queued, begun, offered, ready, expired],
  },
  cut: {
    about: { choices: { part: { startSeconds: 10, endSeconds: 190 } } },
    moments: [queued, begun, ready, expired],
  },
  tape: {
    moments: [
      { ...queued, fields: { ...queued.fields, tape: { batchId: "album", songs: 12, waitsFor: 3 } } },
      { ...queued, fields: { ...queued.fields, tape: { batchId: "album", songs: 12, waitsFor: 1 } } },
      { ...begun, fields: { ...begun.fields, tape: { batchId: "album", songs: 12 } } },
      {
        // A tape is not cut.
        fields: { ...ready.fields, tape: { batchId: "album", songs: 12 }, songsMissing: "Drops · +1" },
        controls: 5,
      },
      expired,
    ],
  },
  // The line of the player is a control more; Ready comes after it.
  played: {
    moments: [
      { ...offered, finger: press("button[aria-label]"), thenControls: 4 },
      { ...encoded, controls: 4 },
      { ...ready, controls: 6 },
    ],
  },
  failure: { moments: [queued, begun, failed] },
  "late-failure": { moments: [offered, failed, again] },
  cancellation: {
    moments: [
      offered,
      { fields: { status: "canceled" }, controls: 2 },
      again,
      { fields: { status: "canceled", attempt: 2 }, controls: 2 },
    ],
  },
};

const LONGEST_WAY = Math.max(...Object.values(WAYS).map(({ moments }) => moments.length));

/** @param fields of the moment. @param index orders the changes of a job */
const jobAt = (id: string, fields: Fields, index: number) =>
  makeJob({
    id,
    title: "Rain on a tin roof, all night long",
    durationSeconds: 200,
    updatedAt: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
    ...fields,
  });

type Push = Awaited<ReturnType<typeof openPage>>["push"];
type Controls = ReadonlyMap<string, { readonly element: HTMLElement; readonly place: DOMRect }>;

/** @returns where an element is in the list or row around it, which the page may scroll */
export function rectangleIn(around: Element, element: Element): DOMRect {
  const { left, top } = around.getBoundingClientRect();
  const { x, y, width, height } = element.getBoundingClientRect();
  return new DOMRect(x - left, y - top, width, height);
}

const rowOf = (id: string) => document.querySelector<HTMLElement>(`:is([data-job="${id}"], [data-batch="${id}"])`);

/** @returns the controls in the row of a job or folded batch, by their names */
function controlsOf(id: string): Controls {
  const all = rowOf(id)?.querySelectorAll<HTMLElement>(":is(a, button, input)") ?? [];
  // Some have one place on phones and another one on wider screens.
  const controls = [...all].filter((control) => control.checkVisibility());
  // Not the line above the row, which the first one does not have.
  const content = rowOf(id)?.querySelector("article");
  return new Map(
    content &&
      controls.map((element) => [
        element.ariaLabel ?? element.innerText,
        { element, place: rectangleIn(content, element) },
      ]),
  );
}

function overlap(a: DOMRect, b: DOMRect): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0.5 && height > 0.5;
}

const isSame = (a: DOMRect, b: DOMRect) =>
  (["left", "top", "width", "height"] as const).every((part) => Math.abs(a[part] - b[part]) <= 0.5);

/** @returns each control that has moved, or has come to where another one was or is */
function faultsBetween(seen: Controls, now: Controls): string[] {
  const all = [...new Map([...seen, ...now])];
  return [...now].flatMap(([name, { element, place }]) => {
    const before = seen.get(name)?.place;
    // What a finger has opened below the row stays below it.
    if (before) return isSame(place, before) || !element.closest("article") ? [] : [`${name} moves`];
    return all.flatMap(([other, { place: itsPlace }]) =>
      name === other || !overlap(place, itsPlace) ? [] : [`${name} comes to where ${other} was`],
    );
  });
}

/** Waits until the rows have all of their controls, also those of late scripts, and none moves. */
async function settle(rows: readonly { readonly id: string; readonly count: number }[]): Promise<void> {
  const counts = () => rows.map(({ id }) => [id, controlsOf(id).size]);
  await expect.poll(counts).toEqual(rows.map(({ id, count }) => [id, count]));
  await expect.poll(() => document.querySelector("[data-motion=entering]")?.getAnimations().length ?? 0).toBe(0);
}

/** Gives the page news of its jobs, and waits until the rows show them. */
async function show(news: () => void, jobs: readonly Job[]): Promise<void> {
  news();
  await vi.advanceTimersByTimeAsync(RENDER_INTERVAL_MS);
  await expect.poll(() => jobs.map(({ id }) => rowOf(id)?.dataset["status"])).toEqual(jobs.map(({ status }) => status));
}

export type View = "queue" | "batch" | "dashboard";

/** The row in the converter is beside a queue alone. */
const waysIn = (view: View) => Object.entries(WAYS).filter(([name]) => view === "queue" || name !== "current");

/** How many controls a row has beyond those of the queue. */
function addedControls({ status, downloadUrl: url }: Moment["fields"], view: View, app: SavingApp | null): number {
  if (status !== "completed") return 0;
  // Inside another app a finished file has two ways to the browser.
  return (view === "dashboard" ? 1 : 0) + (app && url ? 2 : 0);
}

interface Scene {
  readonly push: Push;
  readonly view: View;
  readonly app: SavingApp | null;
}

/** Unfolds the batch that the jobs are in. */
async function unfold(batchId: string): Promise<void> {
  const fold = () => rowOf(batchId)?.querySelector<HTMLElement>("[aria-expanded]");
  await expect.poll(fold).toBeTruthy();
  fold()?.click();
}

/**
 * @param language of the page, also in the ids of the jobs, so that each language has its own
 * @returns for each moment of each way the faults since the last act of a finger: where a control has been, no other one
 * comes without a further one
 */
async function filmFaults({ push, view, app }: Scene, language: Language): Promise<string[]> {
  await showLanguage(language);
  const ways = waysIn(view).map(([name, way]) => ({ id: `${name}-${language}`, way }));
  if (view === "queue") currentJob.setState({ id: `current-${language}` });
  const batchId = `batch-${language}`;
  const seen = new Map<string, Controls>();
  const faults: string[] = [];
  for (let index = 0; index < LONGEST_WAY; index++) {
    const going = ways.flatMap(({ id, way }) => {
      const moment = way.moments[index];
      const fields = { ...way.about, ...(view === "batch" && { batchId }), ...moment?.fields };
      return moment ? { id, moment, job: jobAt(id, fields, index) } : [];
    });
    const jobs = going.map(({ job }) => job);
    const news = () =>
      index === 0 ? push("snapshot", { asOf: LATER, jobs }) : jobs.forEach((job) => push("job", job));
    if (index === 0 && view === "batch") {
      news();
      await vi.advanceTimersByTimeAsync(RENDER_INTERVAL_MS);
      await unfold(batchId);
    }
    await show(news, jobs);
    const added = (fields: Moment["fields"]) => addedControls(fields, view, app);
    await settle(going.map(({ id, moment }) => ({ id, count: moment.controls + added(moment.fields) })));
    for (const { id, job, moment } of going) {
      const now = controlsOf(id);
      const before = seen.get(id) ?? new Map();
      const since = faultsBetween(before, now);
      faults.push(...since.map((fault) => `${id}, moment ${index}: ${fault}`));
      seen.set(id, new Map([...before, ...now]));
      if (moment.finger) {
        moment.finger(job);
        await settle([{ id, count: (moment.thenControls ?? 0) + added(moment.fields) }]);
        seen.set(id, controlsOf(id));
      }
    }
  }
  player.stop();
  return faults;
}

/**
 * Films the rows of all ways of a job in each language.
 * @param width of the page, in CSS pixels
 * @param app around the page; null in a browser
 * @returns each control that moved, or came to where another one had been
 */
export async function filmRows(view: View, width: number, app: SavingApp | null = null): Promise<string[]> {
  downloadNotes.setState({ app });
  onTestFinished(() => downloadNotes.setState(downloadNotes.getInitialState(), true));
  // As high as all rows: those out of view are not laid out.
  await page.viewport(width, 2_000);
  for (const act of ["play", "load"] as const) vi.spyOn(HTMLMediaElement.prototype, act).mockResolvedValue();
  onTestFinished(() => void vi.restoreAllMocks());
  fakeApi.answer(`GET ${downloadUrl}`, unanswered);
  // In the app, app/Later.tsx does this.
  rowNote.setState({ Note: RowAdditions });
  const { push } = await (view === "dashboard" ? openPage("/dashboard", { user: makeUser() }) : openPage());
  stopClock();
  const faults: string[] = [];
  for (const language of Object.keys(LANGUAGES) as Language[])
    faults.push(...(await filmFaults({ push, view, app }, language)));
  return faults;
}

/** Each: what two jobs of a folded batch are, and how many controls its row then has. */
const BATCH_MOMENTS: readonly { readonly jobs: readonly [Moment, Moment]; readonly controls: number }[] = [
  // Unfold, Cancel all.
  { jobs: [queued, queued], controls: 2 },
  { jobs: [begun, queued], controls: 2 },
  // And Retry failed.
  { jobs: [failed, begun], controls: 3 },
  // Without Cancel all, with Download all.
  { jobs: [failed, ready], controls: 3 },
  { jobs: [again, ready], controls: 3 },
  { jobs: [failedAgain, ready], controls: 3 },
  { jobs: [failedAgain, expired], controls: 2 },
];

/**
 * Films the row of a folded batch in each language.
 * @param width of the page, in CSS pixels
 * @returns what {@link filmRows} returns
 */
export async function filmBatch(width: number): Promise<string[]> {
  await page.viewport(width, 2_000);
  const { push } = await openPage();
  stopClock();
  const faults: string[] = [];
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await showLanguage(language);
    let seen: Controls = new Map();
    for (const [index, { jobs, controls }] of BATCH_MOMENTS.entries()) {
      for (const [place, { fields }] of jobs.entries())
        push("job", jobAt(`${place}-${language}`, { batchId: language, ...fields }, index));
      await vi.advanceTimersByTimeAsync(RENDER_INTERVAL_MS);
      await settle([{ id: language, count: controls }]);
      const now = controlsOf(language);
      faults.push(...faultsBetween(seen, now).map((fault) => `${language}, moment ${index}: ${fault}`));
      seen = new Map([...seen, ...now]);
    }
  }
  return faults;
}
