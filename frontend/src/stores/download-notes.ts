/** What the rows say about downloads: nothing, except in apps that cannot save a file, or after too many at once. */
import { createStore } from "zustand/vanilla";
import type { SavingApp } from "../platform/saving-app.ts";

/** The way of a file to the share menu of an installed iPhone app. `ready`: it needs another press. */
export type Sharing =
  | { readonly state: "loading"; readonly percent: number | null }
  | { readonly state: "ready" | "failed" | "tooLarge" | "unsupported" };

export interface DownloadNotesState {
  /** Null in browsers, which save files themselves. */
  readonly app: SavingApp | null;
  /** By the URL of the file. */
  readonly sharings: Readonly<Record<string, Sharing | undefined>>;
  /** URLs of files that are downloaded when they are finished, because too many others are downloaded before that. */
  readonly waiting: ReadonlySet<string>;
}

export const createDownloadNotesStore = () =>
  createStore<DownloadNotesState>(() => ({ app: null, sharings: {}, waiting: new Set() }));

export type DownloadNotesStore = ReturnType<typeof createDownloadNotesStore>;
