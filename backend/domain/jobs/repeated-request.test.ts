import { expect, it } from "vitest";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { adoptDevice } from "../accounts/sign-in.ts";
import { addJobs } from "./add-jobs.ts";

const domain = domainForTests();

it("makes one job when two servers receive the same request at the same moment", async () => {
  const anonymous = newViewer();
  // Requests of different owners are not serialized, so both run at the same moment as in two processes.
  const signedIn = { ...anonymous, userId: "u" };
  const request = { key: "k", content: "c" };
  const link = "https://video.example/a";
  const outcomes = await Promise.allSettled(
    [anonymous, signedIn].map((viewer) => addJobs(domain, viewer, [link], { format: "mp3" }, { request })),
  );
  expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await domain.jobs.countDocuments()).toBe(1);
  expect(domain.waiting).toHaveLength(1);
});

it("gives all jobs of a device to its user, also those of one request that came before and after", async () => {
  const anonymous = newViewer();
  const request = { key: "k", content: "c" };
  const add = (name: string, more: object) =>
    addJobs(domain, anonymous, [`https://video.example/${name}`], { format: "mp3" }, more);
  const change = { from: anonymous.deviceId, to: "new-device" };
  await add("a", { request });
  await adoptDevice(domain, change, "u");
  // Another tab has the old cookie.
  await add("a", { request });
  await add("b", {});
  await adoptDevice(domain, change, "u");
  expect(await domain.jobs.countDocuments({ userId: "u" })).toBe(3);
});
