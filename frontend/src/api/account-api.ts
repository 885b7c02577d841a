/** The client's API calls about account and payment, which the home page does not load. */
import { BillingPortal, Done, SubscriptionSecret } from "../../../common/account-calls.ts";
import type { DeleteAccount } from "../../../common/account-calls.ts";
import { Usage } from "../../../common/api.ts";
import type { Plan } from "../../../common/api.ts";
import { UsageDays } from "../../../common/usage-days.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

export type AccountApi = typeof accountApi;

/** Each call throws what {@link HttpClient.call} throws. */
export const accountApi = {
  getUsage: () => client.call("/api/usage", Usage),
  getUsageDays: () => client.call("/api/usage/days", UsageDays),
  signOut: () => client.call("/api/logout", Done),
  signOutEverywhere: () => client.call("/api/logout-everywhere", Done, { method: "POST", body: {} }),
  deleteAccount: (input: DeleteAccount) => client.call("/api/account", Done, { method: "DELETE", body: input }),
  /** Creates the user's incomplete subscription, or changes its plan. @returns its secret */
  createSubscription: (plan: Plan) =>
    client.call("/api/create-subscription", SubscriptionSecret, { method: "POST", body: { plan } }),
  openBillingPortal: () => client.call("/api/billing-portal", BillingPortal, { method: "POST", body: {} }),
};
