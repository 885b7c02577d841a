export const en = {
  title: "Upgrade to Pro",
  plan: "Plan",
  payment: "Payment",
  form: "Card payment",
  loadingForm: "Loading the card form",
  unloadable: {
    title: "The card form could not be loaded",
    text: "Check your connection, and whether something in your browser blocks payment pages. Nothing was charged.",
    retry: "Try again",
  },
  processing: "Processing...",
  saveCard: "Save card and start Pro",
  /** Below the button that pays. @param date such as "November 29, 2027" */
  again: (price: string, date: string) => `You pay ${price} today and again on ${date}, unless you cancel before.`,
  /** Below that, around a link to the terms. */
  accepted: {
    before: "Stripe takes the payment and keeps your card; we never see it. The ",
    link: "Terms of Service",
    after: " apply.",
  },
  states: {
    settingUp: "Setting up your subscription...",
    back: "Back to the converter",
    unconfigured: {
      title: "Payment system configuration error",
      text: "Payments are not set up on this server, so nothing can be bought and nothing was charged. Everything else works. Please tell our support.",
    },
    noSecret: {
      title: "Failed to initialize payment. Please try again.",
      text: "Nothing was charged.",
      back: "Go Back",
    },
    activating: {
      title: "Your payment was confirmed",
      text: "Pro is being activated and appears by itself. There is nothing more to pay.",
      go: "Go to the converter",
    },
    hasPro: "You already have Pro",
    hasSubscription: "You already have a subscription",
    nothingToPay: "Nothing more to pay",
    granted: "It was given to your account, so there is nothing to pay.",
    overdue: (plan: string) =>
      `${plan} waits for a payment that did not go through. Update your card under Manage billing.`,
    ends: (plan: string, date: string) =>
      `${plan} is cancelled and lasts until ${date}. Card, invoices and cancelling are behind Manage billing.`,
    renews: (plan: string, date: string) =>
      `${plan} renews on ${date}. Card, invoices and cancelling are behind Manage billing.`,
  },
};

export type SubscribeTexts = typeof en;
