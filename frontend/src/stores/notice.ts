/** The content of a toast. Stores and actions pass it to {@link Notify} and do not depend on the toasts store. */
export interface Notice {
  readonly kind: "success" | "error" | "info";
  readonly title: string;
  readonly description?: string;
}
export type Notify = (notice: Notice) => void;
