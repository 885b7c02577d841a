/** The client's one set of stores and actions, connected to each other and to the server, with their hooks. */
import { useStore } from "zustand";
import { createApi } from "../api/api.ts";
import { ApiError } from "../api/errors.ts";
import { createJobActions } from "../actions/job-actions.ts";
import { createLazyLive } from "../live/lazy-live.ts";
import { createConnectionStore } from "../stores/connection.ts";
import type { ConnectionState } from "../stores/connection.ts";
import { createConverterStore } from "../stores/converter.ts";
import type { ConverterState } from "../stores/converter.ts";
import { createDeviceStore } from "../stores/device.ts";
import type { DeviceState } from "../stores/device.ts";
import { createJobsStore } from "../stores/jobs.ts";
import type { JobsState } from "../stores/jobs.ts";
import { createBatchStore } from "../stores/batch.ts";
import type { BatchState } from "../stores/batch.ts";
import { savesData } from "../platform/data-saver.ts";
import { TIERS } from "../../../common/tiers.ts";
import { createPreviewedJobsStore } from "../stores/previewed-jobs.ts";
import type { PreviewedJobsState } from "../stores/previewed-jobs.ts";
import { createIntakeStore } from "../stores/intake.ts";
import type { IntakeState } from "../stores/intake.ts";
import { createPreviewStore } from "../stores/preview.ts";
import type { PreviewState } from "../stores/preview.ts";
import { createUserStore } from "../stores/user.ts";
import type { UserState } from "../stores/user.ts";
import { createBatchActions } from "../actions/batch-actions.ts";
import { Activation } from "../actions/activation.ts";
import type { ActivationState } from "../actions/activation.ts";
import { createBillingActions } from "../actions/billing-actions.ts";
import { handlePaymentReturn } from "../actions/returned-payment.ts";
import { createAccountActions } from "../actions/account-actions.ts";
import { browser, isOnline, page, session, storage, viewer } from "../platform/runtime.ts";
import { Outbox } from "../outbox/outbox.ts";
import type { OutboxState } from "../outbox/outbox.ts";
import { createLateAnswers, resumeEntry, retryOnReconnect } from "./outbox-wiring.ts";
import { createRequests } from "../outbox/requests.ts";
import { notify } from "./toaster.ts";

/** Exported for stores that only one page needs; that page creates them. */
export const api = createApi();
export const jobsStore = createJobsStore();
const jobs = jobsStore;
const device = createDeviceStore(viewer);
const user = createUserStore();
const connection = createConnectionStore(isOnline());

const viewerId = () => {
  const { phase, user: person } = user.getState();
  return phase === "loading" ? undefined : (person?.id ?? null);
};
const lateAnswers = createLateAnswers({ jobs, notify });
const outbox = new Outbox({ storage, windows: browser, isOnline, viewerId, onExpired: lateAnswers.onExpired });
const requests = createRequests({ api, outbox, viewerId, ...lateAnswers });

const videoHosts = () => device.getState().config?.videoHosts ?? [];

const preview = createPreviewStore({ load: api.preview, videoHosts, tier: () => device.getState().tier, savesData });
const previewed = createPreviewedJobsStore();

const converter = createConverterStore({
  createConversion: requests.createConversion,
  onCreated(job) {
    const { view } = preview.getState();
    if (view.phase === "ready") previewed.getState().add(job.id, view.preview);
    jobs.getState().receive(job);
  },
  notify,
  videoHosts: () => device.getState().config?.videoHosts ?? null,
});

const followLink = () => preview.getState().follow(converter.getState().link);
converter.subscribe(followLink);
// Hosts and tier may arrive after a link that was shared to the page.
device.subscribe(followLink);

const batch = createBatchStore({
  createBatch: requests.createBatch,
  onCreated: (created) => jobs.getState().receiveAll(created),
  notify,
  videoHosts,
  format: () => converter.getState().format,
});

const intake = createIntakeStore({
  converter,
  batch,
  videoHosts,
  canBatch: () => TIERS[device.getState().tier].batchSize > 1,
});
/** Takes links that are pasted, dropped or shared outside of a field; see {@link IntakeState.takeLinks}. */
export const { takeLinks } = intake.getState();
/** Submit and format of the single link field, for use outside of its form; see {@link ConverterState.submit}. */
export const { submit: startConversion, setFormat: chooseFormat } = converter.getState();

export const batchActions = createBatchActions({ api: requests, jobs, notify });
export const accountActions = createAccountActions({ api, user, notify, goTo: (path) => window.location.assign(path) });
export const jobActions = createJobActions({ api: requests, jobs, notify });
export const live = createLazyLive({
  async load() {
    const [{ LiveUpdates }, { createSocket }] = await Promise.all([
      import("../live/live.ts"),
      import("../live/socket.ts"),
    ]);
    return new LiveUpdates({ api, socket: createSocket(), jobs, device, user, connection, browser, page });
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
/** Withdraws a waiting request; see {@link Outbox.withdraw}. */
export const withdrawRequest = (key: string): void => outbox.withdraw(key);

export const activation = new Activation({
  device,
  user,
  storage: session,
  notify,
  refreshIdentity: () => live.refreshIdentity(),
  nowMs: Date.now,
});
export const billingActions = createBillingActions({ api, notify, goTo: (url) => window.location.assign(url) });

/** Continues a payment that was in progress when the page was left or reloaded. */
export function resumeBilling(): void {
  activation.resume();
  handlePaymentReturn({ window, user, notify, awaitPro: () => activation.begin() });
}

/** Loads this month's usage again; after a failed request the old figures stay. */
export async function refreshUsage(): Promise<void> {
  try {
    user.getState().receiveUsage(await api.getUsage());
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
  }
}

export const useJobs = <Part>(select: (state: JobsState) => Part): Part => useStore(jobs, select);
export const useDevice = <Part>(select: (state: DeviceState) => Part): Part => useStore(device, select);
export const useConnection = <Part>(select: (state: ConnectionState) => Part): Part => useStore(connection, select);
export const useConverter = <Part>(select: (state: ConverterState) => Part): Part => useStore(converter, select);
export const useUser = <Part>(select: (state: UserState) => Part): Part => useStore(user, select);
export const useBatch = <Part>(select: (state: BatchState) => Part): Part => useStore(batch, select);
export const usePreview = <Part>(select: (state: PreviewState) => Part): Part => useStore(preview, select);
export const usePreviewedJobs = <Part>(select: (state: PreviewedJobsState) => Part): Part =>
  useStore(previewed, select);
export const useIntake = <Part>(select: (state: IntakeState) => Part): Part => useStore(intake, select);
export const useActivation = <Part>(select: (state: ActivationState) => Part): Part =>
  useStore(activation.store, select);
export const useOutbox = <Part>(select: (state: OutboxState) => Part): Part => useStore(outbox.store, select);
