/**
 * Loads the secret that the browser confirms with the payment provider, for the chosen plan. Requests run one
 * after the other, so that the server's last answer is for the last choice.
 */
import { ZodError } from "zod";
import { createStore } from "zustand/vanilla";
import type { SubscriptionSecret } from "../../../../common/account-calls.ts";
import type { Plan } from "../../../../common/api.ts";
import { ApiError, sentenceFor } from "../../api/errors.ts";
import type { AccountApi } from "../../api/account-api.ts";
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
  /** Why the last try to pay has failed; null from the next try on. */
  readonly failure: string | null;
}

export interface CheckoutParts {
  readonly api: Pick<AccountApi, "createSubscription">;
  readonly notify: Notify;
  /** Loads the identity again, because the server's answer does not match it. */
  readonly refreshIdentity: () => Promise<void>;
}

/** Text of the toast. */
type Problem = Pick<Notice, "title" | "description">;

/** The changes of the store after a request for a secret. */
type Outcome = Partial<CheckoutState> & { readonly problem?: Problem };

const missingSecret = (): Outcome => ({ phase: "no-secret", problem: currentTexts().billing.notices.noSecret });

export class Checkout {
  readonly store = createStore<CheckoutState>()(() => ({
    phase: "creating",
    secret: null,
    refusal: null,
    payment: "none",
    failure: null,
  }));
  private readonly parts: CheckoutParts;
  /** The chosen plan; null when the page is left. */
  private plan: Plan | null = null;
  /** Id of the user who pays. Kept when the page is left, so that a request on its way still counts if they return. */
  private payer: string | null = null;
  private isLoading = false;

  constructor(parts: CheckoutParts) {
    this.parts = parts;
  }

  /**
   * Loads a secret for the plan; does nothing if it is loaded already. A secret of another user is dropped: it would pay
   * for their subscription.
   * @param payer id of the user who pays
   */
  async open(plan: Plan, payer: string): Promise<void> {
    if (payer !== this.payer) this.close();
    this.payer = payer;
    const { phase, secret } = this.store.getState();
    if (phase === "ready" && secret?.plan === plan) return;
    await this.loadSecret(plan);
  }

  /** Replaces an unusable secret by a new one for the same plan. */
  async renew(): Promise<void> {
    if (this.plan !== null) await this.loadSecret(this.plan);
  }

  /** Drops the secret, which may be paid in another tab by the next visit. */
  close(): void {
    this.plan = null;
    this.store.setState(({ payment }) => ({
      phase: "creating",
      secret: null,
      payment: payment === "done" ? "none" : payment,
      failure: null,
    }));
  }

  /** @returns false when a payment is in progress or done already */
  beginPaying(): boolean {
    if (this.store.getState().payment !== "none") return false;
    this.store.setState({ payment: "under-way", failure: null });
    return true;
  }

  /** @param message of the provider, shown at the form until the next try */
  failPaying(message: string): void {
    this.store.setState({ failure: message });
  }

  /** @param isPaid true when the page will be left; false allows the next attempt */
  endPaying(isPaid: boolean): void {
    this.store.setState({ payment: isPaid ? "done" : "none" });
  }

  private async loadSecret(plan: Plan): Promise<void> {
    this.plan = plan;
    this.store.setState(({ secret }) => ({ phase: secret ? "switching" : "creating" }));
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      await this.loadUntilCurrent();
    } finally {
      this.isLoading = false;
    }
  }

  /** Requests a secret again while the plan or the user changes during the request. */
  private async loadUntilCurrent(): Promise<void> {
    while (this.plan !== null) {
      const plan: Plan = this.plan;
      const { payer } = this;
      const outcome = await this.requestSecret(plan);
      if (this.plan !== plan || this.payer !== payer) continue;
      this.apply(outcome);
      return;
    }
  }

  private async requestSecret(plan: Plan): Promise<Outcome> {
    try {
      const secret = await this.parts.api.createSubscription(plan);
      return secret.clientSecret === "" ? missingSecret() : { phase: "ready", secret: { ...secret, plan } };
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

  private apply({ problem, ...changes }: Outcome): void {
    const { notify, refreshIdentity } = this.parts;
    if (changes.phase === "ready") this.store.setState(changes);
    else this.store.setState({ secret: null, ...changes });
    if (problem !== undefined) notify({ kind: "error", ...problem });
    // The user has signed out or subscribed, for instance in another tab.
    if (changes.phase === "creating" || changes.phase === "subscribed") void refreshIdentity();
  }
}
