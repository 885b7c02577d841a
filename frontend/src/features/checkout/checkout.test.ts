import { expect, it } from "vitest";
import type { Plan } from "../../../../common/api.ts";
import { SubscriptionSecret } from "../../../../common/account-calls.ts";
import { ApiError } from "../../api/errors.ts";
import type { Notice } from "../../stores/notice.ts";
import { Checkout } from "./checkout.ts";

/** A request for a secret, which the test answers. */
interface SecretRequest {
  readonly plan: Plan;
  readonly answer: (secret: SubscriptionSecret) => void;
  readonly refuse: (error: unknown) => void;
}

function createCheckout() {
  const requests: SecretRequest[] = [];
  const notices: Notice[] = [];
  let refreshCount = 0;
  const checkout = new Checkout({
    api: {
      createSubscription: (plan) =>
        new Promise((answer, refuse) => {
          requests.push({ plan, answer, refuse });
        }),
    },
    notify: (notice) => notices.push(notice),
    refreshIdentity: () => Promise.resolve(void (refreshCount += 1)),
  });
  return { checkout, requests, notices, state: checkout.store.getState, refreshCount: () => refreshCount };
}

const secretOf = (clientSecret: string): SubscriptionSecret => ({ clientSecret, isSetupIntent: false });
const refusal = (status: number, code: string, message: string) =>
  new ApiError(status, "", JSON.stringify({ code, message }));

it("sends one request when the page is mounted, unmounted and mounted again", async () => {
  const { checkout, requests, state } = createCheckout();
  const first = checkout.open("yearly", "ada");
  checkout.close();
  const second = checkout.open("yearly", "ada");
  expect(requests).toHaveLength(1);
  expect(state().phase).toBe("creating");
  requests[0]?.answer(secretOf("one"));
  await Promise.all([first, second]);
  expect(state()).toMatchObject({ phase: "ready", secret: { clientSecret: "one", plan: "yearly" } });
  await checkout.open("yearly", "ada");
  expect(requests).toHaveLength(1);
});

it("keeps the old plan's secret until the new one is loaded, and sends one request at a time", async () => {
  const { checkout, requests, state } = createCheckout();
  const opened = checkout.open("yearly", "ada");
  requests[0]?.answer(secretOf("one"));
  await opened;

  const switched = checkout.open("monthly", "ada");
  expect(state()).toMatchObject({ phase: "switching", secret: { clientSecret: "one" } });
  void checkout.open("yearly", "ada");
  void checkout.open("monthly", "ada");
  expect(requests.map(({ plan }) => plan)).toEqual(["yearly", "monthly"]);
  requests[1]?.answer(secretOf("two"));
  await switched;
  expect(state()).toMatchObject({ phase: "ready", secret: { clientSecret: "two", plan: "monthly" } });
});

it("ignores an answer for a plan that is no longer chosen", async () => {
  const { checkout, requests, state } = createCheckout();
  const opened = checkout.open("monthly", "ada");
  void checkout.open("yearly", "ada");
  requests[0]?.answer(secretOf("late"));
  await expect.poll(() => requests.length).toBe(2);
  expect(state()).toMatchObject({ phase: "creating", secret: null });
  requests[1]?.answer(secretOf("right"));
  await opened;
  expect(state()).toMatchObject({ phase: "ready", secret: { clientSecret: "right", plan: "yearly" } });
});

it("ignores an answer for a user who is no longer signed in", async () => {
  const { checkout, requests, state } = createCheckout();
  const opened = checkout.open("yearly", "ada");
  checkout.close();
  void checkout.open("yearly", "bob");
  requests[0]?.answer(secretOf("of ada"));
  await expect.poll(() => requests.length).toBe(2);
  expect(state()).toMatchObject({ phase: "creating", secret: null });
  requests[1]?.answer(secretOf("of bob"));
  await opened;
  expect(state()).toMatchObject({ phase: "ready", secret: { clientSecret: "of bob" } });
});

it("drops the secret of one user when another one signs in", async () => {
  const { checkout, requests, state } = createCheckout();
  const opened = checkout.open("yearly", "ada");
  requests[0]?.answer(secretOf("of ada"));
  await opened;
  const reopened = checkout.open("yearly", "bob");
  expect(state()).toMatchObject({ phase: "creating", secret: null });
  requests[1]?.answer(secretOf("of bob"));
  await reopened;
  expect(state()).toMatchObject({ phase: "ready", secret: { clientSecret: "of bob" } });
});

it("shows no toast after the page was left", async () => {
  const { checkout, requests, notices, state } = createCheckout();
  const opened = checkout.open("monthly", "ada");
  checkout.close();
  requests[0]?.refuse(refusal(502, "payment_provider", "It does not answer."));
  await opened;
  expect(notices).toEqual([]);
  expect(state().phase).toBe("creating");
});

it("shows the server's error message, or its own text without one", async () => {
  for (const [error, description] of [
    [refusal(502, "payment_provider", "It does not answer."), "It does not answer."],
    [new TypeError("fetch failed"), "Failed to create subscription"],
  ] as const) {
    const { checkout, requests, notices, state } = createCheckout();
    const opened = checkout.open("yearly", "ada");
    requests[0]?.refuse(error);
    await opened;
    expect(notices).toEqual([{ kind: "error", title: "Error", description }]);
    expect(state().phase).toBe("refused");
  }
});

it("reports an answer without a secret", async () => {
  for (const answer of [{}, { clientSecret: "", isSetupIntent: false }]) {
    const { checkout, requests, notices, state } = createCheckout();
    const opened = checkout.open("yearly", "ada");
    const parsed = SubscriptionSecret.safeParse(answer);
    if (parsed.success) requests[0]?.answer(parsed.data);
    else requests[0]?.refuse(parsed.error);
    await opened;
    expect(notices).toEqual([{ kind: "error", title: "Error", description: "No client secret received from server" }]);
    expect(state()).toMatchObject({ phase: "no-secret", secret: null });
  }
});

it("shows that the user is subscribed without a toast, and loads the identity again", async () => {
  for (const [status, code, phase, refreshes] of [
    [503, "payment_unconfigured", "unconfigured", 0],
    [409, "already_subscribed", "subscribed", 1],
    [401, "sign_in_required", "creating", 1],
  ] as const) {
    const { checkout, requests, notices, state, refreshCount } = createCheckout();
    const opened = checkout.open("yearly", "ada");
    requests[0]?.refuse(refusal(status, code, "Words."));
    await opened;
    expect(state().phase).toBe(phase);
    expect(notices).toEqual([]);
    expect(refreshCount()).toBe(refreshes);
  }
});

it("allows one payment at a time, and after it none until the page is left", () => {
  const { checkout } = createCheckout();
  expect(checkout.beginPaying()).toBe(true);
  expect(checkout.beginPaying()).toBe(false);
  checkout.endPaying(false);
  expect(checkout.beginPaying()).toBe(true);
  checkout.endPaying(true);
  expect(checkout.beginPaying()).toBe(false);
  checkout.close();
  expect(checkout.beginPaying()).toBe(true);
});
