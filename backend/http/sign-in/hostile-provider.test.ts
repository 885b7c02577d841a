/** What a provider says of its users, and whether we believe it. */
import { beforeEach, describe, expect, it } from "vitest";
import mongoose from "mongoose";
import { ofFile } from "../../dev/testing/of-file.ts";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import type { Behaviour } from "../../dev/stand-ins/hostile-provider.ts";
import {
  HOSTILE_CLIENT,
  LONG_AGO,
  openHostileProvider,
  startSignInBeside,
  trySignIn,
} from "../../dev/testing/hostile-sign-in.ts";
import { walkThroughSignIn } from "../../dev/testing/test-server.ts";
import { changeTier } from "../../domain/accounts/tier-sources.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";

const provider = await ofFile(openHostileProvider());
/** Has read metadata and keys of the provider once; the tests of those are in the full tests. */
const server = await ofFile(startSignInBeside(provider));
beforeEach(() => {
  provider.behaviour = {};
});

it("signs in with a provider that follows the standard", async () => {
  expect(await trySignIn(server)).toEqual({ end: "/", status: 200 });
});

it.each<[string, unknown, boolean]>([
  ["verified", true, true],
  ["verified, as a text", "true", true],
  ["not verified", false, false],
  ["not verified, as a text", "false", false],
  ["of unknown origin", undefined, false],
])("keeps whether the address is verified, for grant-pro: %s", async (about, verified, isGranted) => {
  const email = `${about.replaceAll(/\W/g, "-")}@example.com`;
  provider.behaviour = { claims: { sub: about, email, email_verified: verified } };
  expect(await trySignIn(server)).toEqual({ end: "/", status: 200 });
  const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
  const granted = await changeTier({ users: await openUserModel(connection) }, email, "pro");
  await connection.close();
  expect(granted).toMatchObject(isGranted ? { accounts: 1, unverified: 0 } : { accounts: 0, unverified: 1 });
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

describe("a sign-in fails with an error code and without a session at a provider", () => {
  it.each<[string, Behaviour, string]>([
    ["that signs with a key it does not publish", { isForged: true }, "invalid"],
    ["that does not sign", { isUnsigned: true }, "invalid"],
    ["whose token has expired", { claims: { iat: LONG_AGO, exp: LONG_AGO + 60 } }, "expired"],
    ["whose token has another issuer", { claims: { iss: "https://elsewhere.example" } }, "invalid"],
    ["whose token is for another site", { claims: { aud: "another-client" } }, "invalid"],
    [
      "whose token is for several clients and issued to another one",
      { claims: { aud: [HOSTILE_CLIENT, "another"], azp: "another" } },
      "invalid",
    ],
    ["whose token has the nonce of another sign-in", { claims: { nonce: "another" } }, "invalid"],
    ["whose token has an empty subject", { claims: { sub: "" } }, "invalid"],
    ["that gives no email address", { claims: { email: undefined } }, "invalid"],
    ["whose answer carries another state", { state: "another" }, "invalid"],
    ["where the user declines", { refusal: "access_denied" }, "refused"],
    ["that reports server_error", { refusal: "server_error" }, "refused"],
    ["whose token endpoint answers 502", { broken: { path: "/token", status: 502 } }, "unavailable"],
    [
      "that rejects the code as expired",
      { broken: { path: "/token", status: 400, body: { error: "invalid_grant" } } },
      "expired",
    ],
  ])("%s", async (_, behaviour, code) => {
    provider.behaviour = behaviour;
    expect(await trySignIn(server)).toEqual({ end: `/login?error=${code}`, status: 401 });
  });

  it("where this browser has not begun to sign in", async () => {
    const device = await server.newDevice();
    const answer = await device.visit("/api/sign-in/provider/callback?code=x&state=y");
    expect(answer.headers.get("location")).toBe("/login?error=expired");
  });
});
