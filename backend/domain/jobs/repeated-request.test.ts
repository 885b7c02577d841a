import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestDomain, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { addJobs } from "./requests.ts";

let domain: TestDomain;
beforeEach(async () => {
  domain = await openTestDomain();
});
afterEach(() => domain.close());

it("two servers that take the same request at the same moment make one job", async () => {
  const anonymous = newViewer();
  // Another owner on the same device waits in a line of its own, as it would in another process.
  const signedIn = { ...anonymous, userId: "u" };
  const request = { key: "k", content: "c" };
  const link = "https://video.example/a";
  const outcomes = await Promise.allSettled(
    [anonymous, signedIn].map((viewer) => addJobs(domain, viewer, [link], "mp3", { request })),
  );
  expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await domain.jobs.countDocuments()).toBe(1);
  expect(domain.waiting).toHaveLength(1);
});
