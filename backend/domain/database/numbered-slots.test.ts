/** Limits of what a user may have, with many calls at once to two processes on one database. */
import { beforeEach, expect, it } from "vitest";
import { TIERS, type Tier } from "../../../common/tiers.ts";
import { besideDomain, domainForTests, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { signIn } from "../accounts/sign-in.ts";
import { createToken, listTokens, revokeToken } from "../accounts/tokens.ts";
import type { Domain } from "../domain.ts";
import { createSelection, MAX_OPEN_SELECTIONS } from "../jobs/selections.ts";
import { endSelection } from "../jobs/selection-end.ts";
import { createWebhook } from "../webhooks/webhooks.ts";

const here = domainForTests();
let there: TestDomain;
beforeEach(() => {
  there = besideDomain(here);
});

async function newUser(tier: Tier): Promise<string> {
  const { _id } = await signIn(here, "device", { issuer: "https://issuer", subject: "s", email: "s@example.org" });
  await here.users.updateOne({ _id }, { $set: { tier } });
  return _id;
}

/** @returns how many of 24 calls succeeded, and the codes with which the others were refused */
async function callAtOnce(call: (domain: Domain, n: number) => Promise<unknown>) {
  const calls = Array.from({ length: 24 }, (_, n) => call(n % 2 === 0 ? here : there, n));
  const settled = await Promise.allSettled(calls);
  const codes = settled.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: unknown }).code] : []));
  return { made: calls.length - codes.length, codes: [...new Set(codes)] };
}

const newToken = (domain: Domain, userId: string) => createToken(domain, userId, { name: "A", scopes: ["read"] });
const newWebhook = (domain: Domain, userId: string) => createWebhook(domain, userId, { url: "https://a.example/" });
const newSelection = (domain: Domain, userId: string, n: number) =>
  createSelection(domain, newViewer({ userId, tier: "pro" }), {
    title: "A list",
    urls: Array.from({ length: 30 }, (_, index) => `https://video.example/${n}-${index}`),
    format: "mp3",
  });

it.each([
  ["one token on the free plan", "free", TIERS.free.maxTokens, newToken, "pro_required"],
  ["20 tokens of Pro", "pro", TIERS.pro.maxTokens, newToken, "conflict"],
  ["one webhook on the free plan", "free", TIERS.free.maxWebhooks, newWebhook, "pro_required"],
  ["10 webhooks of Pro", "pro", TIERS.pro.maxWebhooks, newWebhook, "conflict"],
  ["10 open selections", "pro", MAX_OPEN_SELECTIONS, newSelection, "rate_limited"],
] as const)("makes no more than %s of 24 calls at once", async (_, tier, most, make, code) => {
  const userId = await newUser(tier);
  const { made, codes } = await callAtOnce((domain, n) => make(domain, userId, n));
  expect(codes).toEqual([code]);
  expect(made).toBe(most);
});

it("uses the slot again of what was revoked or has ended", async () => {
  const userId = await newUser("free");
  const { id } = await newToken(here, userId);
  await revokeToken(here, userId, id);
  expect((await callAtOnce((domain) => newToken(domain, userId))).made).toBe(1);
  await newUser("pro");
  const { batchId } = await newSelection(here, userId, 0);
  await endSelection(here, batchId);
  expect((await callAtOnce((domain, n) => newSelection(domain, userId, n + 1))).made).toBe(MAX_OPEN_SELECTIONS);
});

it("counts what an older version made without a slot", async () => {
  const userId = await newUser("pro");
  for (let n = 0; n < 15; n += 1) await newToken(here, userId);
  await here.tokens.updateMany({ userId }, { $unset: { place: 1 } });
  expect((await callAtOnce((domain) => newToken(domain, userId))).made).toBe(5);
  expect(await listTokens(here, userId)).toHaveLength(20);
});
