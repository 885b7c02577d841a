/** Providers that fail while we read what they publish, and their profiles: each test has a server that knows nothing. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { User } from "../../../common/api.ts";
import type { Behaviour } from "../../dev/stand-ins/hostile-provider.ts";
import { REPOSITORY_ROOT } from "../../dev/repository.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openHostileProvider, PATIENT_MS, startSignInBeside, trySignIn } from "../../dev/testing/hostile-sign-in.ts";
import { walkThroughSignIn } from "../../dev/testing/test-server.ts";

/** For a provider that never answers. */
const IMPATIENT_MS = 300;

const provider = await ofFile(openHostileProvider());
const server = await ofFile(startSignInBeside(provider));
// The server is restarted for each test, so that no metadata or keys of the provider are cached.
beforeEach(async () => {
  provider.behaviour = {};
  return () => restart(PATIENT_MS);
});

async function restart(timeoutMs: number): Promise<void> {
  await server.stop();
  await server.start({ settings: { signIn: { timeoutMs } } });
}

/** Runs the operator's command. @returns what it prints */
async function grantPro(email: string): Promise<string> {
  const command = join(REPOSITORY_ROOT, "backend", "commands", "change-tier.ts");
  const env = { ...process.env, NODE_ENV: "test", MONGODB_URI: server.mongodbUri };
  return promisify(execFile)(process.execPath, [command, "pro", email], { env }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
}

it.each([
  [
    "email and first name",
    { sub: "someone", email: "Someone@Example.com", given_name: " Sam " },
    { email: "someone@example.com", firstName: "Sam" },
  ],
  ["email alone", { sub: "someone", email: "someone@example.com" }, { email: "someone@example.com" }],
])("reads the profile if the token has no email address: %s", async (_, profile, expected) => {
  provider.behaviour = { claims: { email: undefined }, profile };
  const device = await server.newDevice();
  expect(await walkThroughSignIn(device, { email: "unused@example.com" })).toBe("/");
  const {
    id: _id,
    tier: _tier,
    usage: _usage,
    subscription: _subscription,
    ...person
  } = User.parse(await (await device.call("GET", "/api/auth/user")).json());
  expect(person).toEqual(expected);
});

it("names an address that is not verified to the operator who grants Pro", async () => {
  provider.behaviour = { claims: { email: "unsure@example.com", email_verified: false } };
  expect(await trySignIn(server)).toEqual({ end: "/", status: 200 });
  expect(await grantPro("unsure@example.com")).toMatch(/has not verified/);
});

it("leaves a sign-in as it was begun when a fresh one cannot begin after it", async () => {
  const device = await server.newDevice();
  const begun = await device.visit("/api/login");
  // The server forgets what it knows of the provider.
  await restart(PATIENT_MS);
  provider.behaviour = { broken: { path: "/.well-known/openid-configuration", status: 503 } };
  const failed = await device.visit("/api/login?fresh");
  expect(failed.headers.get("location")).toBe("/login?error=unavailable");
  provider.behaviour = { claims: { sub: "not asked anew" } };
  const start = begun.headers.get("location") ?? "";
  expect(await walkThroughSignIn(device, { email: "unused@example.com" }, start)).toBe("/");
  expect((await device.call("DELETE", "/api/account", { confirmation: DELETE_ACCOUNT_PHRASE })).status).toBe(403);
});

it("does not read the profile if the token has the email address", async () => {
  provider.behaviour = { profile: {}, silent: "/userinfo" };
  expect(await trySignIn(server)).toEqual({ end: "/", status: 200 });
});

describe("a sign-in fails with an error code and without a session at a provider", () => {
  it.each<[string, Behaviour, string]>([
    [
      "whose profile belongs to another user",
      { claims: { email: undefined }, profile: { sub: "another", email: "another@example.com" } },
      "invalid",
    ],
    [
      "whose profile has no email address either",
      { claims: { email: undefined }, profile: { sub: "someone" } },
      "invalid",
    ],
    [
      "whose profile has an invalid email address",
      { claims: { email: undefined }, profile: { sub: "someone", email: "someone" } },
      "invalid",
    ],
    [
      "whose profile endpoint answers 500",
      { claims: { email: undefined }, profile: {}, broken: { path: "/userinfo", status: 500 } },
      "unavailable",
    ],
    [
      "whose profile endpoint never answers",
      { claims: { email: undefined }, profile: {}, silent: "/userinfo" },
      "unavailable",
    ],
    ["whose metadata endpoint never answers", { silent: "/.well-known/openid-configuration" }, "unavailable"],
    [
      "whose metadata endpoint answers 500",
      { broken: { path: "/.well-known/openid-configuration", status: 500 } },
      "unavailable",
    ],
    ["whose token endpoint never answers", { silent: "/token" }, "unavailable"],
    ["whose key endpoint never answers", { silent: "/keys" }, "unavailable"],
    ["whose key endpoint answers 500", { broken: { path: "/keys", status: 500 } }, "unavailable"],
    [
      "whose metadata has another issuer",
      {
        broken: {
          path: "/.well-known/openid-configuration",
          status: 200,
          body: {
            issuer: "https://elsewhere.example",
            authorization_endpoint: "https://elsewhere.example/a",
            token_endpoint: "https://elsewhere.example/t",
            jwks_uri: "https://elsewhere.example/k",
          },
        },
      },
      "unavailable",
    ],
  ])("%s", async (_, behaviour, code) => {
    if (behaviour.silent !== undefined) await restart(IMPATIENT_MS);
    provider.behaviour = behaviour;
    expect(await trySignIn(server)).toEqual({ end: `/login?error=${code}`, status: 401 });
  });

  it("that is down, and the next attempt succeeds when it is up again", async () => {
    provider.behaviour = { broken: { path: "/.well-known/openid-configuration", status: 503 } };
    expect((await trySignIn(server)).end).toBe("/login?error=unavailable");
    provider.behaviour = {};
    expect(await trySignIn(server)).toEqual({ end: "/", status: 200 });
  });
});
