/** Parts of the home page. */
import { page } from "vitest/browser";

export const field = page.getByLabelText("Video link");
export const convert = page.getByRole("button", { name: "Convert", exact: true });
export const stage = page.getByRole("group", { name: "Preview" });
export const rows = page.getBySelector("[data-job]");
export const toast = page.getBySelector("[data-scope=toast][data-part=root]");
export const emptyQueue = page.getBySelector("[data-phase=ready]").getByText("Nothing here yet");
