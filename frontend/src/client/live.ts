/** The client's one source of live updates, and what follows from the jobs that they bring. */
import type { Socket } from "socket.io-client";
import { createStore } from "zustand/vanilla";
import { createLazyLive } from "../live/lazy-live.ts";
import { browser, page, storage } from "../platform/runtime.ts";
import { announcer } from "./announcer.ts";
import { isOwn, started } from "./own-jobs.ts";
import { removals } from "./removals.ts";
import { jobActions } from "./requests.ts";
import {
  api,
  autoDownloadSwitch,
  connection,
  device,
  finished,
  jobs,
  notifications,
  sites,
  toneSwitch,
  user,
} from "./stores.ts";
import { showSilently } from "./toaster.ts";

/** The socket of the live updates, for a page that listens to more events; null before they have started. */
export const liveSocket = createStore<Socket | null>(() => null);

export const live = createLazyLive({
  browser,
  async load() {
    const [{ LiveUpdates }, { createSocket }, { followJobs }] = await Promise.all([
      import("../live/live.ts"),
      import("../live/socket.ts"),
      import("../ready/follow-jobs.ts"),
    ]);
    followJobs({
      jobs,
      announce: announcer.getState().announce,
      started,
      finished,
      notifications,
      toneSwitch,
      autoDownloadSwitch,
      storage,
      removals,
      remove: (id) => jobActions.remove(id),
      isOwn,
      showReady: showSilently,
    });
    const socket = createSocket();
    liveSocket.setState(socket, true);
    return new LiveUpdates({ api, socket, jobs, device, user, connection, sites, browser, page });
  },
  onLoadFailed: () => jobs.getState().listFailed(),
});
