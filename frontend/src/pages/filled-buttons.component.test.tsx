import { expect, it } from "vitest";
import { filledButtons } from "../testing/filled-buttons.ts";
import { openPage } from "../testing/open-page.tsx";
import { makeUser } from "../testing/sample-answers.ts";
import { makeReadyJob } from "../testing/sample-jobs.ts";

const pro = makeUser({ tier: "pro" });
const jobs = [makeReadyJob("one", 8), makeReadyJob("two", 9)];

it.each([
  ["/login", {}, ["Sign in as Pro User"]],
  ["/help", {}, ["Contact Support"]],
  ["/contact", {}, ["Send message"]],
  ["/privacy", {}, []],
  ["/terms", {}, []],
  ["/no/such/place", {}, ["Back to the converter"]],
  ["/plans", {}, ["Choose Yearly"]],
  ["/dashboard", { user: makeUser() }, ["Converter"]],
  ["/dashboard", { user: pro, jobs }, ["Download Tape two"]],
  ["/pro", { user: pro }, []],
  ["/pro", { user: pro, jobs }, ["Download Tape two"]],
])("%s has at most one filled button (%#)", async (path, options, names) => {
  await openPage(path, options);
  await expect.poll(filledButtons).toEqual(names);
});
