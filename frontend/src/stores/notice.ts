/** The content of a toast. Stores and actions pass it to {@link Notify} and do not depend on the toasts store. */
export interface Notice {
  readonly kind: "success" | "error" | "info";
  readonly title: string;
  readonly description?: string;
  /** What it is about, if it is closed once that has ended. */
  readonly about?: "network";
  /** A file that can be downloaded from the toast. */
  readonly download?: NoticeDownload;
}

export interface NoticeDownload {
  readonly url: string;
  readonly label: string;
  /** For screen readers; names the file. */
  readonly name: string;
}
export type Notify = (notice: Notice) => void;
