/** The client's one set of stores and actions, connected to each other and to the server, with their hooks. */
import type { Socket } from "socket.io-client";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { createApi } from "../api/api.ts";
import { createConvertLink } from "../actions/convert-link.ts";
import { createJobActions } from "../actions/job-actions.ts";
import { createLazyLive } from "../live/lazy-live.ts";
import { choicesFor, choicesForMany, createChoicesStore } from "../stores/choices.ts";
import type { ChoicesState } from "../stores/choices.ts";
import { createConnectionStore } from "../stores/connection.ts";
import type { ConnectionState } from "../stores/connection.ts";
import { createConverterStore } from "../stores/converter.ts";
import type { ConverterState } from "../stores/converter.ts";
import { createDeviceStore } from "../stores/device.ts";
import type { DeviceState } from "../stores/device.ts";
import { createJobsStore, jobsToShow } from "../stores/jobs.ts";
import type { JobsState } from "../stores/jobs.ts";
import { createBatchStore } from "../stores/batch.ts";
import type { BatchState } from "../stores/batch.ts";
import { savesData } from "../platform/data-saver.ts";
import type { CreateSelection, SelectionAnswer } from "../../../common/lists.ts";
import { TIERS, type Format, type Tier } from "../../../common/tiers.ts";
import { createPreviewedJobsStore } from "../stores/previewed-jobs.ts";
import type { PreviewedJobsState } from "../stores/previewed-jobs.ts";
import { createRemovalsStore } from "../stores/removals.ts";
import type { RemovalsState } from "../stores/removals.ts";
import { createCurrentJobStore } from "../stores/current-job.ts";
import type { CurrentJobState } from "../stores/current-job.ts";
import { createIntakeStore } from "../stores/intake.ts";
import type { IntakeState } from "../stores/intake.ts";
import { createOwnLinks } from "../stores/own-links.ts";
import { createPreviewStore } from "../stores/preview.ts";
import type { PreviewState } from "../stores/preview.ts";
import { refusalOf, refusalSentence } from "../stores/refusal.ts";
import { createSiteStatusStore } from "../stores/site-status.ts";
import type { SiteStatusState } from "../stores/site-status.ts";
import { createUserStore } from "../stores/user.ts";
import type { UserState } from "../stores/user.ts";
import { createBatchActions } from "../actions/batch-actions.ts";
import { Activation } from "../actions/activation.ts";
import type { ActivationState } from "../actions/activation.ts";
import { isJobPlaceInView } from "../platform/job-place.ts";
import { currentTexts } from "../texts/store.ts";
import { createJobsMemory, shrinkOpening } from "../platform/opening.ts";
import { createFinishedStore } from "../stores/finished.ts";
import type { FinishedState } from "../stores/finished.ts";
import { createNotificationsStore } from "../stores/notifications.ts";
import type { Job } from "../../../common/job.ts";
import { createStoredSwitch } from "../stores/stored-switch.ts";
import { browser, isOnline, page, session, storage, viewer } from "../platform/runtime.ts";
import { Outbox } from "../outbox/outbox.ts";
import type { OutboxState } from "../outbox/outbox.ts";
import { createLateAnswers, resumeEntry, retryOnReconnect } from "./outbox-wiring.ts";
import { createRequests } from "../outbox/requests.ts";
import { announcer } from "./announcer.ts";
import { closeToast, notify, showSilently, toasts } from "./toaster.ts";

/** Exported for stores that only one page needs; that page creates them. */
export const api = createApi();
export const jobsStore = createJobsStore();
const jobs = jobsStore;
/** Exported for prerendering. */
export const deviceStore = createDeviceStore(viewer);
const device = deviceStore;
/** Exported for actions that only the pages of signed-in visitors need. */
export const userStore = createUserStore();
const user = userStore;
/** Exported for component tests. */
export const connection = createConnectionStore(isOnline());
/** Exported for component tests. */
export const sites = createSiteStatusStore();
export const currentTier = (): Tier => device.getState().tier;

const viewerId = () => {
  const { phase, user: person } = user.getState();
  return phase === "loading" ? undefined : (person?.id ?? null);
};
const lateAnswers = createLateAnswers({ jobs, notify, noteOwn });
const outbox = new Outbox({ storage, windows: browser, isOnline, viewerId, onExpired: lateAnswers.onExpired });
const requests = createRequests({ api, outbox, viewerId, ...lateAnswers });

const videoHosts = () => device.getState().config?.videoHosts ?? [];

const choices = createChoicesStore();
const preview = createPreviewStore({ load: api.preview, videoHosts, tier: currentTier, savesData });
const previewed = createPreviewedJobsStore();
export const ownLinks = createOwnLinks(session);
const currentJob = createCurrentJobStore({ session });

/** Ids of the jobs whose requests were answered on this page; an earlier page may have left such a request waiting. */
const started = new Set<string>();
const finished = createFinishedStore();
/** Must be called before the jobs are added to the jobs store. */
function noteOwn(created: readonly Job[], link?: string): void {
  for (const { id } of created) {
    started.add(id);
    if (link !== undefined) ownLinks.add(id, link);
  }
}
/** Like {@link noteOwn}, for an answer to a click: the visitor is looking at the page. */
function noteStarted(created: readonly Job[], link?: string): void {
  noteOwn(created, link);
  finished.getState().clear();
}
/** Adds a single job that the visitor has started. */
function addStarted(job: Job, link?: string): void {
  currentJob.getState().begin(job.id);
  noteStarted([job], link);
  jobs.getState().receive(job);
}
export const notifications = createNotificationsStore({
  permissions: typeof Notification === "undefined" ? undefined : Notification,
  storage: () => window.localStorage,
});
export const toneSwitch = createStoredSwitch("tapedeck.tone", storage);
export const autoDownloadSwitch = createStoredSwitch("tapedeck.auto-download", storage);

const converter = createConverterStore({
  createConversion: requests.createConversion,
  onCreated(job, link, chosen) {
    const { view } = preview.getState();
    if (chosen) previewed.getState().add(job.id, { ...chosen, thumbnail: null });
    else if (view.phase === "ready") previewed.getState().add(job.id, view.preview);
    addStarted(job, link);
  },
  isJobInView: isJobPlaceInView,
  notify,
  videoHosts: () => device.getState().config?.videoHosts ?? null,
  choices: (format) => (converter.getState().list ? choicesForMany : choicesFor)(format, choices.getState().choices),
  refusal(format) {
    const found = refusalOf(preview.getState().view, format, device.getState().tier);
    return found && refusalSentence(found);
  },
});

converter.subscribe((now, before) => {
  if (now.link.trim() !== before.link.trim()) choices.getState().clear();
  if (now.link !== before.link && now.link !== "") currentJob.getState().release();
  if (now.isPending && !before.isPending) {
    shrinkOpening();
    currentJob.getState().expect(jobs.getState().table.keys());
  }
  if (!now.isPending && before.isPending) currentJob.getState().expectNone();
});
const followLink = () => preview.getState().follow(converter.getState().link, choices.getState().choices?.part);
converter.subscribe(followLink);
choices.subscribe(followLink);
// Hosts and tier may arrive after a link that was shared to the page.
device.subscribe(followLink);

const chosenForMany = (format: Format) => choicesForMany(format, choices.getState().choices);

const batch = createBatchStore({
  createBatch: requests.createBatch,
  onCreated(created) {
    noteStarted(created);
    jobs.getState().receiveAll(created);
  },
  notify,
  videoHosts,
  format: () => converter.getState().format,
  choices: chosenForMany,
});

/** Queues what was chosen from a list. */
export async function createSelection(
  input: Pick<CreateSelection, "title" | "urls">,
  signal: AbortSignal,
): Promise<SelectionAnswer> {
  const { format } = converter.getState();
  const answer = await requests.createSelection({ ...input, format, choices: chosenForMany(format) }, signal);
  noteStarted(answer.jobs);
  jobs.getState().receiveAll(answer.jobs);
  return answer;
}

batch.subscribe((now, before) => {
  if (now.isChosen && !before.isChosen) currentJob.getState().release();
  // They were about the video in the other form.
  if (now.isChosen !== before.isChosen) choices.getState().clear();
  if (now.isPending && !before.isPending) shrinkOpening();
});
const rememberJobs = createJobsMemory(storage);
jobs.subscribe((state) => state.phase === "ready" && rememberJobs(jobsToShow(state).length > 0));

const intake = createIntakeStore({
  converter,
  batch,
  videoHosts,
  canBatch: () => TIERS[device.getState().tier].batchSize > 1,
});
/** Takes links that are pasted, dropped or shared outside of a field; see {@link IntakeState.takeLinks}. */
export const { takeLinks } = intake.getState();
/** Whether the submitted link is on its way; false when it was refused here. */
export const isStarting = (): boolean => converter.getState().isPending;
/** Whether Convert is about what is chosen from a list. */
export const showsList = (): boolean => converter.getState().list !== null;
/** Submit and format of the single link field, for use outside of its form; see {@link ConverterState.submit}. */
export const { submit: startConversion, setFormat: chooseFormat, showList } = converter.getState();

export const batchActions = createBatchActions({ api: requests, jobs, notify });
export const jobActions = createJobActions({ api: requests, jobs, notify });
export const convertLink = createConvertLink({
  createConversion: requests.createConversion,
  onCreated: addStarted,
  isJobInView: isJobPlaceInView,
  notify,
});
/** Puts a link into the field, with the choices open, to take a part of its video or to choose otherwise. */
export function chooseAgain(link: string, format: Format): void {
  batch.getState().choose(false);
  converter.getState().setFormat(format);
  converter.getState().setLink(link);
  choices.getState().setOpen(true);
}
const removals = createRemovalsStore({ jobs, send: (id) => jobActions.remove(id) });
/** Removes an ended job. The visitor can undo it for a while, at the place of a toast. */
export function removeJob(job: Job): void {
  closeToast();
  removals.getState().remove(job);
  announcer.getState().announce([{ about: job.id, text: currentTexts().job.removed(job.title), isEnd: true }]);
}
export const { undo: undoRemoval } = removals.getState();
toasts.subscribe(({ toasts: [newest] }) => removals.getState().cover(newest?.isOpen === true));
browser.addEventListener("pagehide", () => removals.getState().sendAll());

/** The socket of the live updates, for a page that listens to more events; null before they have started. */
export const liveSocket = createStore<Socket | null>(() => null);

export const live = createLazyLive({
  async load() {
    const [{ LiveUpdates }, { createSocket }, { followJobs }] = await Promise.all([
      import("../live/live.ts"),
      import("../live/socket.ts"),
      import("../ready/follow-jobs.ts"),
    ]);
    const { announce } = announcer.getState();
    followJobs({
      jobs,
      announce,
      started,
      finished,
      notifications,
      toneSwitch,
      autoDownloadSwitch,
      storage,
      removals,
      remove: (id) => jobActions.remove(id),
      isOwn: (id) => started.has(id) || ownLinks.of(id) !== undefined,
      showReady: showSilently,
    });
    const socket = createSocket();
    liveSocket.setState(socket, true);
    return new LiveUpdates({ api, socket, jobs, device, user, connection, sites, browser, page });
  },
  onLoadFailed: () => jobs.getState().listFailed(),
});

/** Sends the entries that an earlier page has stored. Called once the page is rendered. */
export function startOutbox(): void {
  // The network may have changed while the page loaded.
  connection.getState().setOnline(isOnline());
  retryOnReconnect({ outbox, connection, user, browser });
  outbox.start((entry) => resumeEntry(entry, { requests, jobActions, batchActions }));
}
/** Takes back a waiting request. */
export const withdrawRequest = requests.takeBack;

export const activation = new Activation({
  device,
  user,
  storage: session,
  notify,
  refreshIdentity: () => live.refreshIdentity(),
  nowMs: Date.now,
});

/** Continues a payment that was in progress when the page was left or reloaded. */
export async function resumeBilling(): Promise<void> {
  activation.resume();
  // The provider adds it when it sends the user back. Few visitors pay, so the rest is not part of the first scripts.
  if (!new URLSearchParams(window.location.search).has("redirect_status")) return;
  const { handlePaymentReturn } = await import("../actions/returned-payment.ts");
  handlePaymentReturn({ window, user, notify, awaitPro: () => activation.begin() });
}

export const useJobs = <Part>(select: (state: JobsState) => Part): Part => useStore(jobs, select);
export const useChoices = <Part>(select: (state: ChoicesState) => Part): Part => useStore(choices, select);
export const useDevice = <Part>(select: (state: DeviceState) => Part): Part => useStore(device, select);
export const useConnection = <Part>(select: (state: ConnectionState) => Part): Part => useStore(connection, select);
export const useConverter = <Part>(select: (state: ConverterState) => Part): Part => useStore(converter, select);
export const useSiteStatus = <Part>(select: (state: SiteStatusState) => Part): Part => useStore(sites, select);
export const useUser = <Part>(select: (state: UserState) => Part): Part => useStore(user, select);
export const useBatch = <Part>(select: (state: BatchState) => Part): Part => useStore(batch, select);
export const usePreview = <Part>(select: (state: PreviewState) => Part): Part => useStore(preview, select);
export const useCurrentJob = <Part>(select: (state: CurrentJobState) => Part): Part => useStore(currentJob, select);
export const useFinished = <Part>(select: (state: FinishedState) => Part): Part => useStore(finished, select);
export const useRemovals = <Part>(select: (state: RemovalsState) => Part): Part => useStore(removals, select);
export const usePreviewedJobs = <Part>(select: (state: PreviewedJobsState) => Part): Part =>
  useStore(previewed, select);
export const useIntake = <Part>(select: (state: IntakeState) => Part): Part => useStore(intake, select);
export const useActivation = <Part>(select: (state: ActivationState) => Part): Part =>
  useStore(activation.store, select);
export const useOutbox = <Part>(select: (state: OutboxState) => Part): Part => useStore(outbox.store, select);
