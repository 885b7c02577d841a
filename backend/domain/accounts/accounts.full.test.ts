import { expect, it } from "vitest";
import { addEndedJobs } from "../../dev/testing/ended-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { deleteAccount, finishDeletions } from "./delete-account.ts";
import { signIn } from "./sign-in.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

const domain = domainForTests();

it("deletes two hundred jobs of an account at once, and the others later", async () => {
  const viewer = newViewer();
  const user = await signIn(domain, viewer.deviceId, {
    issuer: "https://accounts.example",
    subject: "hoarder",
    email: "hoarder@example.com",
  });
  await addEndedJobs(domain, 230, { deviceId: viewer.deviceId, userId: user._id });
  await deleteAccount(domain, user._id);
  expect(await domain.jobs.countDocuments({ userId: user._id })).toBe(30);
  expect(await finishDeletions(domain, new Date(Date.now() + DAY_MS))).toBe(1);
  expect(await domain.jobs.countDocuments({ userId: user._id })).toBe(0);
  expect(await domain.jobs.countDocuments({ userId: `deleted:${user._id}` })).toBe(230);
});
