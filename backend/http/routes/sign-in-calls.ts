/** The declarations of the calls that sign users in and out. */
import { z } from "zod";
import type { Call } from "../api-description/call.ts";
import { doneAnswer } from "../api-description/schemas.ts";
import { CALLBACK_PATH } from "../sign-in/code-flow.ts";

// Browsers come here by a link or a redirect, so what cannot be read is left out instead of refused.
const Lenient = z.string().optional().catch(undefined);

const SignInQuery = z.object({
  fresh: Lenient.describe("With any value: the provider asks the user again, even if it knows the browser."),
  here: Lenient.describe("With any value: the sign-in begins at this host, without a redirect to the public address."),
});

/** The redirect of the identity provider, which may have more parameters. */
const SignInAnswer = z.looseObject({
  state: Lenient.describe("Names the sign-in that this answers."),
  code: Lenient.describe("For which the server gets the user's identity."),
  error: Lenient.describe("Why the provider refused."),
});

export const SIGN_IN_CALLS = {
  signIn: {
    route: "GET /api/login",
    group: "Account",
    summary: "Begin a sign-in",
    description: "For browsers: redirects to the identity provider, and from there back to this site.",
    query: SignInQuery,
    answers: { 302: { description: "Where the sign-in goes on" } },
    errors: ["rate_limited"],
    untried: "is about the whole session or account",
  },
  finishSignIn: {
    route: `GET ${CALLBACK_PATH}`,
    group: "Account",
    summary: "Where the identity provider sends the browser back to",
    query: SignInAnswer,
    answers: { 302: { description: "The page after the sign-in, or the one that says why it failed" } },
    untried: "is about the whole session or account",
  },
  signOutByLink: {
    route: "GET /api/logout",
    group: "Account",
    summary: "Sign out by a link of our pages",
    description: "For browsers: a program signs out by POST.",
    answers: { 200: doneAnswer("Signed out"), 302: { description: "Signed out; the home page" } },
    errors: ["bad_origin"],
    untried: "is about the whole session or account",
  },
  signOut: {
    route: "POST /api/logout",
    group: "Account",
    summary: "Sign out",
    answers: { 200: doneAnswer("Signed out") },
    untried: "is about the whole session or account",
  },
  signOutEverywhere: {
    route: "POST /api/logout-everywhere",
    group: "Account",
    summary: "End all sessions of the account, and revoke its tokens",
    isForAccounts: true,
    answers: { 200: doneAnswer("Signed out everywhere") },
    untried: "is about the whole session or account",
  },
} satisfies Record<string, Call>;
