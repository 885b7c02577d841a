/** Several links that are pasted at once. */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { press } from "../../testing/actions.ts";
import { field } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { shown } from "../../testing/shown-limits.ts";
import { violationsOfPage } from "../../testing/violations.ts";

const LINK = "https://youtu.be/aqz-KE-bpKQ";
const OTHER = "https://youtu.be/dQw4w9WgXcQ";
const converter = page.getBySelector("#converter");
const heading = page.getByRole("heading", { level: 1 });

/** Copies a text and pastes it by keyboard at the current focus. */
async function paste(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  await userEvent.keyboard("{ControlOrMeta>}v{/ControlOrMeta}");
}

it("takes the link out of a text, wherever it is pasted", async () => {
  await openPage("/");
  const text = `Check this out: [Song](${OTHER}) via @app`;
  await field.click();
  await paste(text);
  await expect.element(field).toHaveValue(OTHER);
  await field.fill("");
  await heading.click();
  await paste(text);
  await expect.element(field).toHaveValue(OTHER);
  await field.fill("");
  await page.getByRole("button", { name: "Paste" }).click();
  await expect.element(field).toHaveValue(OTHER);
});

it("pastes a text without a link at the cursor", async () => {
  await openPage("/");
  await field.fill("rain");
  await press(field, "{End}");
  await paste(" and/or snow");
  await expect.element(field).toHaveValue("rain and/or snow");
});

it("pastes the rest of a link behind its beginning, and a link in the place of all", async () => {
  await openPage("/");
  for (const [typed, rest] of [
    ["https://you", "tu.be/dQw4w9WgXcQ"],
    [OTHER, "?feature=channel"],
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "&list=PLrAXtmErZgOeiKm4"],
  ] as const) {
    await field.fill(typed);
    await press(field, "{End}");
    await paste(rest);
    await expect.element(field).toHaveValue(typed + rest);
  }
  await paste(LINK);
  await expect.element(field).toHaveValue(LINK);
  await press(field, "{ControlOrMeta>}a{/ControlOrMeta}");
  await paste("Look at example.com/x!");
  await expect.element(field).toHaveValue("https://example.com/x");
});

it("keeps the first of several links and mentions Pro's batches", async () => {
  await openPage("/");
  await field.click();
  await paste(`${LINK}\n${OTHER}`);
  await expect.element(field).toHaveValue(LINK);
  const hint = converter.getByText(`The first of 2 links is in the field. Pro takes up to ${shown.pro.batch} at once.`);
  await expect.element(hint).toBeVisible();
  await expect.element(converter.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
  await expect.poll(violationsOfPage).toEqual([]);
  await press(field, "{End}x");
  await expect.element(hint).not.toBeInTheDocument();
});

it("several links become a batch for Pro, with a hint, and later ones are added", async () => {
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  const lines = page.getByLabelText("Video links, one a line");
  await heading.click();
  await paste(`${LINK}\n${OTHER}`);
  await expect.element(lines).toHaveValue(`${LINK}\n${OTHER}`);
  await expect.element(lines).toHaveFocus();
  await expect.element(converter.getByText("You pasted 2 links. Each is a line of this batch now.")).toBeVisible();
  await expect.element(page.getByRole("radio", { name: "Batch" })).toBeChecked();
  await heading.click();
  await paste("https://youtu.be/third");
  await expect.element(lines).toHaveValue(`${LINK}\n${OTHER}\nhttps://youtu.be/third`);
});
