import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openPage } from "../../testing/open-page.tsx";
import { makeReadyJob } from "../../testing/sample-jobs.ts";
import { violationsIn, violationsInDark } from "../../testing/violations.ts";

const RECEIPT = { waitSeconds: 0.2, siteSeconds: 1.84, lineSeconds: 11.6, ourSeconds: 0.4, promisedSeconds: 16.2 };
const job = { ...makeReadyJob("one", 8), receipt: RECEIPT };
const pill = page.getByRole("button", { name: "Ready: Where the time went" });
const receipt = page.getByRole("region", { name: "Where the time went" });
const download = page.getByRole("link", { name: "Download Tape one" });

/** On the page, which a press may scroll. */
async function placeOfDownload(): Promise<readonly [x: number, y: number]> {
  const { x, y } = (await download.findElement()).getBoundingClientRect();
  return [x, y + window.scrollY];
}

it("shows at a press where the seconds of a job went, moves no button, and closes again", async () => {
  await openPage("/", { jobs: [job] });
  const before = await placeOfDownload();
  await pill.click();
  await expect.element(receipt).toMatchTextContent("14 sec from Convert to the file");
  await expect.element(receipt).toMatchTextContent(/Asking the video site\s*1\.8 sec/);
  await expect.element(receipt).toMatchTextContent(/Fetching the video\s*12 sec/);
  await expect.element(receipt).toMatchTextContent("The first estimate said 16 sec.");
  await expect.element(pill).toHaveAttribute("aria-expanded", "true");
  expect(await placeOfDownload()).toEqual(before);
  expect(await violationsIn(receipt)).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
  await pill.click();
  await expect.element(receipt).not.toBeInTheDocument();
});

it("a file that was there already has no receipt", async () => {
  await openPage("/", { jobs: [makeReadyJob("one", 8)] });
  await expect.element(download).toBeVisible();
  await expect.element(page.getByText("Ready", { exact: true })).toBeVisible();
  await expect.element(pill).not.toBeInTheDocument();
});
