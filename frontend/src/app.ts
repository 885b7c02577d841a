/** The client's one set of stores, wired to each other and to the server, with their hooks. */
import { useStore } from "zustand";
import { createApi } from "./api.ts";
import { createJobActions } from "./features/queue/actions.ts";
import { createLive } from "./live.ts";
import { createSocket } from "./socket.ts";
import { createConnectionStore } from "./stores/connection.ts";
import type { ConnectionState } from "./stores/connection.ts";
import { createConverterStore } from "./stores/converter.ts";
import type { ConverterState } from "./stores/converter.ts";
import { createDeviceStore } from "./stores/device.ts";
import type { DeviceState } from "./stores/device.ts";
import { createJobsStore } from "./stores/jobs.ts";
import type { JobsState } from "./stores/jobs.ts";
import { notify } from "./toaster.ts";

const api = createApi();
const jobs = createJobsStore();
const device = createDeviceStore();
const connection = createConnectionStore();

const converter = createConverterStore({
  createConversion: api.createConversion,
  onCreated: (job) => jobs.getState().receive(job),
  notify,
  videoHosts: () => device.getState().config?.videoHosts ?? [],
});

export const jobActions = createJobActions({ api, jobs, notify });
export const live = createLive({ api, socket: createSocket(), jobs, device, connection, browser: window, page: document });

export const useJobs = <Part>(select: (state: JobsState) => Part): Part => useStore(jobs, select);
export const useDevice = <Part>(select: (state: DeviceState) => Part): Part => useStore(device, select);
export const useConnection = <Part>(select: (state: ConnectionState) => Part): Part => useStore(connection, select);
export const useConverter = <Part>(select: (state: ConverterState) => Part): Part => useStore(converter, select);
