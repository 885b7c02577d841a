import { expect, it } from "vitest";
import { activationStore, resumeBilling } from "./billing.ts";
import { device } from "./stores.ts";

const parameters = () => new URLSearchParams(window.location.search);

it("a payment is continued when the page is rendered, also if Pro is there before", async () => {
  const returned = new URL(window.location.href);
  returned.searchParams.set("payment_intent", "pi_1");
  returned.searchParams.set("redirect_status", "succeeded");
  window.history.replaceState(window.history.state, "", returned);
  device.getState().receiveIdentity({ tier: "pro", authenticated: true });
  const continueBilling = await resumeBilling();
  expect(parameters().has("redirect_status")).toBe(false);
  // The welcome is a text, and the texts come with the page.
  expect(activationStore.getState().phase).toBe("none");
  continueBilling();
  expect(activationStore.getState().phase).toBe("done");
});
