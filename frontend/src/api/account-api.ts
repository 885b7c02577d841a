/** The client's API calls about account and payment, which the home page does not load. */
import { z } from "zod";
import { BillingPortal, SubscriptionSecret } from "../../../common/account-calls.ts";
import type { DeleteAccount } from "../../../common/account-calls.ts";
import { Usage } from "../../../common/api.ts";
import type { Plan } from "../../../common/api.ts";
import { HttpClient } from "./http-client.ts";

const Success = z.object({ success: z.literal(true) });
const client = new HttpClient("");

export type AccountApi = typeof accountApi;

/** Each call throws what {@link HttpClient.call} throws. */
export const accountApi = {
  getUsage: () => client.call("/api/usage", Usage),
  signOut: () => client.call("/api/logout", Success),
  signOutEverywhere: () => client.call("/api/logout-everywhere", Success, { method: "POST", body: {} }),
  deleteAccount: (input: DeleteAccount) => client.call("/api/account", Success, { method: "DELETE", body: input }),
  /** Creates the user's incomplete subscription, or changes its plan. @returns its secret */
  createSubscription: (plan: Plan) =>
    client.call("/api/create-subscription", SubscriptionSecret, { method: "POST", body: { plan } }),
  openBillingPortal: () => client.call("/api/billing-portal", BillingPortal, { method: "POST", body: {} }),
};
