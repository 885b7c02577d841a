/** What rows say where a browser needs help to save a file. */
export const en = {
  share: "Download opens the share menu: choose “Save to Files”.",
  loading: "Loading the file…",
  loadingTo: (percent: string) => `Loading the file: ${percent}`,
  ready: "The file is loaded. Press Download again.",
  failed: "The file could not be loaded. Press Download again.",
  tooLarge: "This file is too large to share here. Open it in your browser.",
  unsupported: "This app cannot share the file. Open it in your browser.",
  inside: "This app may not save files. Open the file in your browser.",
  waits: "Other files are still downloading. This one starts when it is finished.",
  open: "Open in browser",
  copy: "Copy address",
  copied: "Copied: paste it in your browser",
  address: "Address for your browser",
};

export type DownloadTexts = typeof en;
