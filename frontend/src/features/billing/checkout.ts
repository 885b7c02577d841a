/**
 * Getting what the browser confirms with the payment provider: one secret for the plan that is
 * chosen now. Whoever opens the page twice at once asks once; a change of plan waits for the answer
 * before it, so that the server's last word is about the last choice.
 */
import { ZodError } from "zod";
import { createStore } from "zustand/vanilla";
import type { Plan, SubscriptionSecret } from "../../../../common/api.ts";
import { ApiError, sentenceFor } from "../../api/api.ts";
import type { Api } from "../../api/api.ts";
import type { Notice, Notify } from "../../stores/notice.ts";
import { currentTexts } from "../../texts/store.ts";

export interface PlanSecret extends SubscriptionSecret {
  readonly plan: Plan;
}

export interface CheckoutState {
  /**
   * `creating`: nothing to show yet. `switching`: the secret is still that of the plan before.
   * `refused`: told by a toast, the page is to be left. `no-secret`, `unconfigured`, `subscribed`:
   * the page says so.
   */
  readonly phase: "creating" | "switching" | "ready" | "no-secret" | "unconfigured" | "subscribed" | "refused";
  readonly secret: PlanSecret | null;
  /** Why the server sells nothing to this person, in its own words; with `subscribed`. */
  readonly refusal: string | null;
  /**
   * While a payment is `under-way` the page stays as it is, whatever the server says meanwhile; once
   * it is `done`, until the page is left.
   */
  readonly payment: "none" | "under-way" | "done";
}

export interface CheckoutParts {
  readonly api: Pick<Api, "createSubscription">;
  readonly notify: Notify;
  /** Asks the server again who is here: it knows something this page does not. */
  readonly refreshIdentity: () => Promise<void>;
}

export type Checkout = ReturnType<typeof createCheckout>;

export function createCheckout({ api, notify, refreshIdentity }: CheckoutParts) {
  const store = createStore<CheckoutState>()(() => ({
    phase: "creating",
    secret: null,
    refusal: null,
    payment: "none",
  }));
  /** No plan is wanted once the page has been left. */
  const visit: { plan: Plan | null; isAsking: boolean } = { plan: null, isAsking: false };

  async function create(plan: Plan): Promise<Partial<CheckoutState> & { problem?: Problem }> {
    try {
      const secret = await api.createSubscription(plan);
      if (secret.clientSecret === "") return missing();
      return { phase: "ready", secret: { ...secret, plan } };
    } catch (error) {
      if (error instanceof ZodError) return missing();
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === "payment_unconfigured") return { phase: "unconfigured" };
      if (code === "already_subscribed") return { phase: "subscribed", refusal: sentenceFor(error, "") };
      // The page sends whoever is signed out to sign in, once it is known.
      if (code === "sign_in_required") return { phase: "creating" };
      const { title, description } = currentTexts().billing.notices.subscriptionFailed;
      return { phase: "refused", problem: { title, description: sentenceFor(error, description) } };
    }
  }

  async function askUntilSettled(): Promise<void> {
    while (visit.plan !== null) {
      const { plan } = visit;
      const { problem, ...outcome } = await create(plan);
      if (visit.plan !== plan) continue;
      if (outcome.phase === "ready") store.setState(outcome);
      else store.setState({ secret: null, ...outcome });
      if (problem !== undefined) notify({ kind: "error", ...problem });
      // Signed out or subscribed in the meantime, perhaps in another tab.
      if (outcome.phase === "creating" || outcome.phase === "subscribed") void refreshIdentity();
      return;
    }
  }

  async function ask(plan: Plan): Promise<void> {
    visit.plan = plan;
    store.setState(({ secret }) => ({ phase: secret ? "switching" : "creating" }));
    if (visit.isAsking) return;
    visit.isAsking = true;
    try {
      await askUntilSettled();
    } finally {
      visit.isAsking = false;
    }
  }

  return {
    store,
    /** Sees to a secret for the plan; does nothing if there is one or it is being asked for. */
    async open(plan: Plan): Promise<void> {
      const { phase, secret } = store.getState();
      if (phase === "ready" && secret?.plan === plan) return;
      await ask(plan);
    },
    /** The secret at hand is of no use any more: gets another one for the same plan. */
    async renew(): Promise<void> {
      if (visit.plan !== null) await ask(visit.plan);
    },
    /** Forgets the secret: by the next visit it may have been paid elsewhere. */
    close(): void {
      visit.plan = null;
      store.setState(({ payment }) => ({
        phase: "creating",
        secret: null,
        payment: payment === "done" ? "none" : payment,
      }));
    },
    /** @returns false when a payment is on its way already */
    beginPaying(): boolean {
      if (store.getState().payment !== "none") return false;
      store.setState({ payment: "under-way" });
      return true;
    },
    /** @param isPaid and this page will be left for another; otherwise the next attempt may begin */
    endPaying(isPaid: boolean): void {
      store.setState({ payment: isPaid ? "done" : "none" });
    },
  };
}

/** What a toast says of it. */
type Problem = Pick<Notice, "title" | "description">;

const missing = () => ({ phase: "no-secret", problem: currentTexts().billing.notices.noSecret }) as const;
