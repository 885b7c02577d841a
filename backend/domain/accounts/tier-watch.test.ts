import { expect, it } from "vitest";
import { domainForTests } from "../../dev/testing/test-domain.ts";
import { signIn } from "./sign-in.ts";
import { changeTier } from "./tier-sources.ts";
import { watchTiers } from "./tier-watch.ts";

const domain = domainForTests();
const POLL_MS = 10;

it("tells of a change that is stored long after its time was taken", async () => {
  const [, late] = await Promise.all(
    ["early", "late"].map((subject) =>
      signIn(domain, subject, { issuer: "issuer", subject, email: `${subject}@example.org`, isEmailVerified: true }),
    ),
  );
  const told = async () => (await domain.published("identity")).map(({ userId, tier }) => [userId, tier]);
  const watch = watchTiers(domain, POLL_MS, (error) => expect.unreachable(String(error)));
  try {
    // What its first look finds is no news, so it may take more than one change.
    let isPro = false;
    const changeAndRead = async () => {
      isPro = !isPro;
      await changeTier(domain, "early@example.org", isPro ? "pro" : "free");
      return told();
    };
    await expect.poll(changeAndRead).not.toEqual([]);
    await domain.users.updateOne(
      { _id: late?._id },
      { $set: { tier: "pro", tierChangedAt: new Date(Date.now() - 30_000) } },
    );
    await expect.poll(told).toContainEqual([late?._id, "pro"]);
  } finally {
    await watch.stop();
  }
});
