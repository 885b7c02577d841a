/** What a toast says. Stores and actions know this much and no more about toasts. */
export interface Notice {
  readonly kind: "success" | "error" | "info";
  readonly title: string;
  readonly description?: string;
}
export type Notify = (notice: Notice) => void;
