/**
 * Loads the secret that the browser confirms with the payment provider, for the chosen plan. Requests run one
 * after the other, so that the server's last answer is for the last choice.
 */
import { ZodError } from "zod";
import { createStore } from "zustand/vanilla";
import type { Plan, SubscriptionSecret } from "../../../../common/api.ts";
import { ApiError, sentenceFor } from "../../api/errors.ts";
import type { Api } from "../../api/api.ts";
import type { Notice, Notify } from "../../stores/notice.ts";
import { currentTexts } from "../../texts/store.ts";

export interface PlanSecret extends SubscriptionSecret {
  readonly plan: Plan;
}

export interface CheckoutState {
  /**
   * `creating`: no secret yet. `switching`: the secret is still that of the previous plan.
   * `refused`: reported by a toast; the page must be left. `no-secret`, `unconfigured`, `subscribed`:
   * shown on the page.
   */
  readonly phase: "creating" | "switching" | "ready" | "no-secret" | "unconfigured" | "subscribed" | "refused";
  readonly secret: PlanSecret | null;
  /** The server's reason for `subscribed`. */
  readonly refusal: string | null;
  /** While a payment is `under-way`, and after it is `done`, the page does not change until it is left. */
  readonly payment: "none" | "under-way" | "done";
}

export interface CheckoutParts {
  readonly api: Pick<Api, "createSubscription">;
  readonly notify: Notify;
  /** Loads the identity again, because the server's answer does not match it. */
  readonly refreshIdentity: () => Promise<void>;
}

export function createCheckout({ api, notify, refreshIdentity }: CheckoutParts) {
  const store = createStore<CheckoutState>()(() => ({
    phase: "creating",
    secret: null,
    refusal: null,
    payment: "none",
  }));
  /** The wanted plan, null when the page is left, and whether a request is in progress. */
  const visit: { plan: Plan | null; isLoading: boolean } = { plan: null, isLoading: false };

  async function create(plan: Plan): Promise<Partial<CheckoutState> & { problem?: Problem }> {
    try {
      const secret = await api.createSubscription(plan);
      if (secret.clientSecret === "") return missingSecret();
      return { phase: "ready", secret: { ...secret, plan } };
    } catch (error) {
      if (error instanceof ZodError) return missingSecret();
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === "payment_unconfigured") return { phase: "unconfigured" };
      if (code === "already_subscribed") return { phase: "subscribed", refusal: sentenceFor(error, "") };
      // The page redirects a signed-out user once the identity is loaded.
      if (code === "sign_in_required") return { phase: "creating" };
      const { title, description } = currentTexts().billing.notices.subscriptionFailed;
      return { phase: "refused", problem: { title, description: sentenceFor(error, description) } };
    }
  }

  /** Requests a secret again while the plan changes during the request. */
  async function loadUntilCurrent(): Promise<void> {
    while (visit.plan !== null) {
      const { plan } = visit;
      const { problem, ...outcome } = await create(plan);
      if (visit.plan !== plan) continue;
      if (outcome.phase === "ready") store.setState(outcome);
      else store.setState({ secret: null, ...outcome });
      if (problem !== undefined) notify({ kind: "error", ...problem });
      // The user has signed out or subscribed, for instance in another tab.
      if (outcome.phase === "creating" || outcome.phase === "subscribed") void refreshIdentity();
      return;
    }
  }

  async function loadSecret(plan: Plan): Promise<void> {
    visit.plan = plan;
    store.setState(({ secret }) => ({ phase: secret ? "switching" : "creating" }));
    if (visit.isLoading) return;
    visit.isLoading = true;
    try {
      await loadUntilCurrent();
    } finally {
      visit.isLoading = false;
    }
  }

  return {
    store,
    /** Loads a secret for the plan; does nothing if it is loaded already. */
    async open(plan: Plan): Promise<void> {
      const { phase, secret } = store.getState();
      if (phase === "ready" && secret?.plan === plan) return;
      await loadSecret(plan);
    },
    /** Replaces an unusable secret by a new one for the same plan. */
    async renew(): Promise<void> {
      if (visit.plan !== null) await loadSecret(visit.plan);
    },
    /** Drops the secret, which may be paid in another tab by the next visit. */
    close(): void {
      visit.plan = null;
      store.setState(({ payment }) => ({
        phase: "creating",
        secret: null,
        payment: payment === "done" ? "none" : payment,
      }));
    },
    /** @returns false when a payment is in progress or done already */
    beginPaying(): boolean {
      if (store.getState().payment !== "none") return false;
      store.setState({ payment: "under-way" });
      return true;
    },
    /** @param isPaid true when the page will be left; false allows the next attempt */
    endPaying(isPaid: boolean): void {
      store.setState({ payment: isPaid ? "done" : "none" });
    },
  };
}

/** Text of the toast. */
type Problem = Pick<Notice, "title" | "description">;

const missingSecret = () => ({ phase: "no-secret", problem: currentTexts().billing.notices.noSecret }) as const;
