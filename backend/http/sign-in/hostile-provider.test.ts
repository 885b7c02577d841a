import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { User } from "../../../common/api.ts";
import { startHostileProvider, type Behaviour, type HostileProvider } from "../../dev/stand-ins/hostile-provider.ts";
import { startTestServer, walkThroughSignIn, type TestServer } from "../../dev/testing/test-server.ts";

const CLIENT = "our-client";
/** However busy the machine, a provider that answers is heard. */
const PATIENT_MS = 30_000;
/** For one that never answers. */
const IMPATIENT_MS = 300;
const LONG_AGO = Math.floor(Date.now() / 1_000) - 3_600;

let provider: HostileProvider;
let server: TestServer;
beforeAll(async () => {
  provider = await startHostileProvider(CLIENT);
  server = await startTestServer({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT,
    OIDC_CLIENT_SECRET: "secret",
    settings: { signIn: { timeoutMs: PATIENT_MS } },
  });
});
// Started anew each time: what one attempt learned of the provider must not help the next.
beforeEach(async () => {
  provider.behaviour = {};
  return () => startOver(PATIENT_MS);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function startOver(timeoutMs: number): Promise<void> {
  await server.stop();
  await server.start({ settings: { signIn: { timeoutMs } } });
}

async function attempt(): Promise<{ end: string; status: number }> {
  const device = await server.newDevice();
  const end = await walkThroughSignIn(device, { email: "unused@example.com" });
  return { end, status: (await device.call("GET", "/api/auth/user")).status };
}

it("a provider that keeps to the rules signs people in", async () => {
  expect(await attempt()).toEqual({ end: "/", status: 200 });
});

it.each([
  [
    "email and first name",
    { sub: "someone", email: "Someone@Example.com", given_name: " Sam " },
    { email: "someone@example.com", firstName: "Sam" },
  ],
  ["email alone", { sub: "someone", email: "someone@example.com" }, { email: "someone@example.com" }],
])("a provider whose token lacks the email address is asked for the profile: %s", async (_, profile, expected) => {
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

it("a profile is not asked for where the token says it all", async () => {
  provider.behaviour = { profile: {}, silent: "/userinfo" };
  expect(await attempt()).toEqual({ end: "/", status: 200 });
});

describe("no session, and a reason, from a provider", () => {
  it.each<[string, Behaviour, string]>([
    ["that signs with a key it does not publish", { isForged: true }, "invalid"],
    ["that does not sign", { isUnsigned: true }, "invalid"],
    ["whose token has expired", { claims: { iat: LONG_AGO, exp: LONG_AGO + 60 } }, "expired"],
    ["whose token is another issuer's", { claims: { iss: "https://elsewhere.example" } }, "invalid"],
    ["whose token is for another site", { claims: { aud: "another-client" } }, "invalid"],
    [
      "whose token is for several and handed to another",
      { claims: { aud: [CLIENT, "another"], azp: "another" } },
      "invalid",
    ],
    ["whose token answers another sign-in", { claims: { nonce: "another" } }, "invalid"],
    ["whose token names nobody", { claims: { sub: "" } }, "invalid"],
    ["that gives no email address", { claims: { email: undefined } }, "invalid"],
    [
      "whose profile is somebody else's",
      { claims: { email: undefined }, profile: { sub: "another", email: "another@example.com" } },
      "invalid",
    ],
    [
      "whose profile has no email address either",
      { claims: { email: undefined }, profile: { sub: "someone" } },
      "invalid",
    ],
    [
      "whose profile has what is no email address",
      { claims: { email: undefined }, profile: { sub: "someone", email: "someone" } },
      "invalid",
    ],
    [
      "whose profile is broken",
      { claims: { email: undefined }, profile: {}, broken: { path: "/userinfo", status: 500 } },
      "unavailable",
    ],
    ["that never shows the profile", { claims: { email: undefined }, profile: {}, silent: "/userinfo" }, "unavailable"],
    ["whose answer carries another state", { state: "another" }, "invalid"],
    ["that says no", { refusal: "access_denied" }, "refused"],
    ["that has a fault", { refusal: "server_error" }, "refused"],
    ["that never says where its parts are", { silent: "/.well-known/openid-configuration" }, "unavailable"],
    ["that is broken", { broken: { path: "/.well-known/openid-configuration", status: 500 } }, "unavailable"],
    ["that never hands out tokens", { silent: "/token" }, "unavailable"],
    ["whose tokens are broken", { broken: { path: "/token", status: 502 } }, "unavailable"],
    [
      "that finds the code too old",
      { broken: { path: "/token", status: 400, body: { error: "invalid_grant" } } },
      "expired",
    ],
    ["that never shows its keys", { silent: "/keys" }, "unavailable"],
    ["whose keys are broken", { broken: { path: "/keys", status: 500 } }, "unavailable"],
    [
      "that calls itself something else",
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
    if (behaviour.silent !== undefined) await startOver(IMPATIENT_MS);
    provider.behaviour = behaviour;
    expect(await attempt()).toEqual({ end: `/login?error=${code}`, status: 401 });
  });

  it("that was never asked", async () => {
    const device = await server.newDevice();
    const answer = await device.visit("/api/sign-in/provider/callback?code=x&state=y");
    expect(answer.headers.get("location")).toBe("/login?error=expired");
  });

  it("that has come back since: the next attempt works", async () => {
    provider.behaviour = { broken: { path: "/.well-known/openid-configuration", status: 503 } };
    expect((await attempt()).end).toBe("/login?error=unavailable");
    provider.behaviour = {};
    expect(await attempt()).toEqual({ end: "/", status: 200 });
  });
});
