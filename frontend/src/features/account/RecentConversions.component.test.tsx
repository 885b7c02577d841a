import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";

it("shows whole titles on a phone, which files have expired, and why a conversion failed", async () => {
  const title = "Rain on a tin roof, recorded for an hour in the garden";
  const reason = { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 };
  const error = { code: "too_long", message: "Longer than 20 minutes. Pro takes up to 2 hours.", reason };
  await page.viewport(390, 664);
  await openPage("/dashboard", {
    user: makeUser(),
    jobs: [
      makeJob({ id: "expired", title, status: "completed" }),
      makeJob({ id: "failed", title: "A lecture", status: "failed", error }),
    ],
  });
  const expired = page.getBySelector("[data-recent=expired]");
  await expect.element(expired.getBySelector("[data-variant]")).toHaveTextContent("Expired");
  // The only link: there is no file to download.
  await expect.element(expired.getByRole("link")).toHaveAccessibleName(`Convert again: ${title}`);
  const shown = expired.getByTitle(title).element();
  expect(shown.scrollHeight).toBeLessThanOrEqual(shown.clientHeight);
  const failed = page.getBySelector("[data-recent=failed]");
  await expect.element(failed).toMatchTextContent("Longer than 20 minutes. Pro takes up to 2 hours.");
  await expect.element(failed.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
});
