import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { QUIET_MS } from "../stores/announcer.ts";
import { press, stopClock } from "../testing/actions.ts";
import { fakeApi, unanswered } from "../testing/fake-api.ts";
import { field, toast } from "../testing/home.ts";
import { openPage } from "../testing/open-page.tsx";

const region = page.getByRole("region", { name: "Notifications (F8)" });

/** Opens the page with a stopped clock. */
async function openWithStoppedClock(): Promise<void> {
  await openPage("/");
  await expect.element(field).toBeVisible();
  stopClock();
}

/** Submits an empty field, which shows a toast. */
async function showErrorToast(): Promise<void> {
  await press(field, "{Enter}");
  await expect.element(toast).toMatchTextContent("Please enter a YouTube URL");
}

it("shows one toast at a time, the newest, for 5 s, and longer while pointed at or focused", async () => {
  await openWithStoppedClock();
  await showErrorToast();
  await field.fill("nonsense");
  await userEvent.keyboard("{Enter}");
  await expect.element(toast).toMatchTextContent("Please enter a valid YouTube URL");
  await vi.advanceTimersByTimeAsync(4_900);
  await expect.element(toast).toHaveAttribute("data-state", "open");
  await vi.advanceTimersByTimeAsync(200);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.element(toast).not.toBeInTheDocument();

  await field.fill("");
  await showErrorToast();
  await toast.hover();
  await vi.advanceTimersByTimeAsync(60_000);
  await userEvent.keyboard("{F8}");
  await page.getByRole("banner").hover({ position: { x: 2, y: 2 } });
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.element(toast).toHaveAttribute("data-state", "open");
  await press(field, "{Shift}");
  await vi.advanceTimersByTimeAsync(6_100);
  await expect.element(toast).not.toBeInTheDocument();
});

it("F8 focuses the toasts, Escape dismisses, and the focus returns; without a toast F8 does nothing", async () => {
  await openWithStoppedClock();
  await press(field, "{F8}");
  await expect.element(field).toHaveFocus();
  await showErrorToast();
  await userEvent.keyboard("{F8}");
  await expect.element(region).toHaveFocus();
  await userEvent.keyboard("{Tab}");
  await expect.element(toast.getByRole("button", { name: "Dismiss" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.element(toast).not.toBeInTheDocument();
  await expect.element(field).toHaveFocus();
});

it("errors interrupt a screen reader at once, other toasts are announced after 10 s of quiet", async () => {
  await openWithStoppedClock();
  await showErrorToast();
  const heard = page.getBySelector("[data-announcer]");
  const polite = page.getBySelector("[data-announcer] [aria-live=polite]");
  const assertive = page.getBySelector("[data-announcer] [aria-live=assertive]");
  await expect.element(assertive).toMatchTextContent("Invalid URL. Please enter a YouTube URL");
  await expect.element(polite).toBeEmptyDOMElement();
  await vi.advanceTimersByTimeAsync(QUIET_MS - 1_000);
  fakeApi.answer("POST /api/conversions", unanswered);
  await field.fill("https://video.example/watch/rain");
  await userEvent.keyboard("{Enter}");
  // By keyboard: a button that has just come takes no click for 0.7 s, in which the quiet would end.
  await press(page.getByRole("button", { name: "Cancel", exact: true }), "{Enter}");
  await expect.element(toast).toMatchTextContent("Conversion Canceled");
  await expect.element(heard).toMatchTextContent("Invalid URL");
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.element(polite).toMatchTextContent("Conversion Canceled");
  await expect.element(assertive).toBeEmptyDOMElement();
  expect(region.getBySelector("[aria-live]").elements()).toEqual([]);
});
