import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { User } from "../../../common/api.ts";
import { startHostileProvider, type Behaviour, type HostileProvider } from "../../dev/stand-ins/hostile-provider.ts";
import { REPOSITORY_ROOT } from "../../dev/repository.ts";
import { startTestServer, walkThroughSignIn, type TestServer } from "../../dev/testing/test-server.ts";

const CLIENT = "our-client";
/** Long enough for a provider that answers, even on a busy machine. */
const PATIENT_MS = 30_000;
/** For a provider that never answers. */
const IMPATIENT_MS = 300;
const LONG_AGO = Math.floor(Date.now() / 1_000) - 3_600;

let provider: HostileProvider;
let server: TestServer;
beforeAll(async () => {
  provider = await startHostileProvider(CLIENT);
  server = await startTestServer({
    hasExtractor: false,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT,
    OIDC_CLIENT_SECRET: "secret",
    settings: { signIn: { timeoutMs: PATIENT_MS } },
  });
});
// The server is restarted for each test, so that no metadata or keys of the provider are cached.
beforeEach(async () => {
  provider.behaviour = {};
  return () => restart(PATIENT_MS);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
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

async function trySignIn(): Promise<{ end: string; status: number }> {
  const device = await server.newDevice();
  const end = await walkThroughSignIn(device, { email: "unused@example.com" });
  return { end, status: (await device.call("GET", "/api/auth/user")).status };
}

it("signs in with a provider that follows the standard", async () => {
  expect(await trySignIn()).toEqual({ end: "/", status: 200 });
});

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

it.each<[string, unknown, RegExp]>([
  ["verified", true, /is on the pro tier now/],
  ["verified, as a text", "true", /is on the pro tier now/],
  ["not verified", false, /has not verified/],
  ["not verified, as a text", "false", /has not verified/],
  ["of unknown origin", undefined, /has not verified/],
])("keeps whether the address is verified, for grant-pro: %s", async (about, verified, line) => {
  const email = `${about.replaceAll(/\W/g, "-")}@example.com`;
  provider.behaviour = { claims: { sub: about, email, email_verified: verified } };
  expect(await trySignIn()).toEqual({ end: "/", status: 200 });
  expect(await grantPro(email)).toMatch(line);
});

it.each<[string, string, number | undefined, number]>([
  ["asked the user just now", "/api/login", 0, 200],
  ["was told to ask the user, and does not say when it did", "/api/login?fresh", undefined, 200],
  ["was told to ask the user, and did not", "/api/login?fresh", LONG_AGO, 403],
  ["knew the user from before", "/api/login", LONG_AGO, 403],
  ["does not say when it asked the user", "/api/login", undefined, 403],
])("deletes an account if the provider %s: from %s, asked at %s, %i", async (about, start, askedAt, status) => {
  const time = askedAt === 0 ? Math.floor(Date.now() / 1_000) : askedAt;
  provider.behaviour = { claims: { sub: about, auth_time: time } };
  const device = await server.newDevice();
  expect(await walkThroughSignIn(device, { email: "unused@example.com" }, start)).toBe("/");
  expect((await device.call("DELETE", "/api/account", { confirmation: DELETE_ACCOUNT_PHRASE })).status).toBe(status);
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
  expect(await trySignIn()).toEqual({ end: "/", status: 200 });
});

describe("a sign-in fails with an error code and without a session at a provider", () => {
  it.each<[string, Behaviour, string]>([
    ["that signs with a key it does not publish", { isForged: true }, "invalid"],
    ["that does not sign", { isUnsigned: true }, "invalid"],
    ["whose token has expired", { claims: { iat: LONG_AGO, exp: LONG_AGO + 60 } }, "expired"],
    ["whose token has another issuer", { claims: { iss: "https://elsewhere.example" } }, "invalid"],
    ["whose token is for another site", { claims: { aud: "another-client" } }, "invalid"],
    [
      "whose token is for several clients and issued to another one",
      { claims: { aud: [CLIENT, "another"], azp: "another" } },
      "invalid",
    ],
    ["whose token has the nonce of another sign-in", { claims: { nonce: "another" } }, "invalid"],
    ["whose token has an empty subject", { claims: { sub: "" } }, "invalid"],
    ["that gives no email address", { claims: { email: undefined } }, "invalid"],
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
    ["whose answer carries another state", { state: "another" }, "invalid"],
    ["where the user declines", { refusal: "access_denied" }, "refused"],
    ["that reports server_error", { refusal: "server_error" }, "refused"],
    ["whose metadata endpoint never answers", { silent: "/.well-known/openid-configuration" }, "unavailable"],
    [
      "whose metadata endpoint answers 500",
      { broken: { path: "/.well-known/openid-configuration", status: 500 } },
      "unavailable",
    ],
    ["whose token endpoint never answers", { silent: "/token" }, "unavailable"],
    ["whose token endpoint answers 502", { broken: { path: "/token", status: 502 } }, "unavailable"],
    [
      "that rejects the code as expired",
      { broken: { path: "/token", status: 400, body: { error: "invalid_grant" } } },
      "expired",
    ],
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
    expect(await trySignIn()).toEqual({ end: `/login?error=${code}`, status: 401 });
  });

  it("where this browser has not begun to sign in", async () => {
    const device = await server.newDevice();
    const answer = await device.visit("/api/sign-in/provider/callback?code=x&state=y");
    expect(answer.headers.get("location")).toBe("/login?error=expired");
  });

  it("that is down, and the next attempt succeeds when it is up again", async () => {
    provider.behaviour = { broken: { path: "/.well-known/openid-configuration", status: 503 } };
    expect((await trySignIn()).end).toBe("/login?error=unavailable");
    provider.behaviour = {};
    expect(await trySignIn()).toEqual({ end: "/", status: 200 });
  });
});
