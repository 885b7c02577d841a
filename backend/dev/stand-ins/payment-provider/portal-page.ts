/** HTML of the billing page: plain forms without a script. */
import type { Account } from "./account.ts";
import { isOver } from "./billing/ending.ts";
import { savedCard } from "./billing/invoicing.ts";
import { periodEndOf } from "./shapes/subscription.ts";
import type { Invoice, PaymentMethod, PortalConfiguration, PortalSession, Price, Subscription } from "./state.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; padding: 24px; }
  main { max-width: 36rem; margin: 0 auto; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.125rem; margin: 32px 0 8px; }
  .note { border: 2px dashed; border-radius: 12px; padding: 12px; }
  [role="alert"] { color: #c62828; font-weight: 600; }
  label { display: block; font-weight: 600; margin-top: 12px; }
  input, button { font: inherit; box-sizing: border-box; min-height: 44px; padding: 8px 12px; }
  input, button { border-radius: 12px; border: 1px solid; }
  input { width: 100%; }
  button { font-weight: 600; cursor: pointer; margin: 12px 8px 0 0; }
  a { display: inline-block; padding: 10px 0; color: inherit; }
  table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  td { padding: 8px 0; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
  td:last-child { text-align: right; } td form { display: inline; } td button { margin: 0 0 0 8px; }
`;

/** @param problem message on top: why the last action failed */
export function renderPortal(
  account: Account,
  session: PortalSession,
  { features }: PortalConfiguration,
  problem: string | undefined,
): string {
  const customer = account.get("customer", session.customer);
  const subscriptions = runningSubscriptions(account, customer.id);
  const invoices = account
    .list("invoice")
    .filter((invoice) => invoice.customer === customer.id && invoice.status !== "draft" && invoice.status !== "void");
  const [first] = subscriptions;
  const card = first ? savedCard(account, first) : undefined;
  const plans =
    subscriptions.map((subscription) => renderPlan(account, subscription, features)).join("") ||
    "<p>You have no current plan.</p>";
  return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Billing (for development)</title><style>${STYLE}</style>
</head>
<body><main>
${session.return_url === null ? "" : `<a href="${escape(session.return_url)}">Return to site</a>`}
<h1>Billing</h1>
<p class="note"><strong>For development only.</strong> This page stands in for a real payment provider:
no money moves, and only its test cards work.</p>
${problem === undefined ? "" : `<p role="alert">${escape(problem)}</p>`}
<h2>Current plan</h2>${plans}
<h2>Payment method</h2><p>${card ? renderCard(card) : "No card is saved."}</p>
${features.payment_method_update.enabled ? CARD_FORM : ""}
${features.invoice_history.enabled ? renderInvoices(invoices) : ""}
</main></body></html>`;
}

const CARD_FORM = `<details><summary>Update card</summary><form method="post">
<label for="number">Card number</label>
<input id="number" name="number" inputmode="numeric" required placeholder="4242 4242 4242 4242">
<label for="expiry">Expiration date</label>
<input id="expiry" name="expiry" required pattern="\\d{2} ?/ ?\\d{2}" placeholder="MM / YY">
<label for="cvc">Security code</label>
<input id="cvc" name="cvc" inputmode="numeric" required placeholder="CVC">
<button name="do" value="card">Save card</button></form></details>`;

function renderPlan(account: Account, subscription: Subscription, features: PortalConfiguration["features"]): string {
  const price = subscription.items.data[0]?.price;
  const name = price ? (account.find("product", price.product)?.name ?? "Plan") : "Plan";
  const until = date(periodEndOf(subscription));
  const ends = subscription.cancel_at_period_end;
  const others = features.subscription_update.enabled && price && !ends ? otherPrices(account, price, features) : [];
  const cost = price ? `, ${money(price.unit_amount)} per ${price.recurring.interval}` : "";
  const next = account.find("price", account.state.secrets.nextPrices[subscription.id] ?? "");
  const change = next ? ` Changes to ${money(next.unit_amount)} per ${next.recurring.interval} on ${until}.` : "";
  const renewal = subscription.status === "past_due" ? "The last payment failed." : `Renews on ${until}.${change}`;
  const cancel = ends ? button("resume", "Don't cancel plan") : button("cancel", "Cancel plan");
  return `<p><strong>${escape(name)}</strong>${cost}. ${ends ? `Your plan ends on ${until}.` : renewal}</p>
<form method="post">${hidden("subscription", subscription.id)}
${features.subscription_cancel.enabled ? cancel : ""}</form>
${others.map((other) => renderSwitch(subscription, other)).join("")}`;
}

function renderSwitch(subscription: Subscription, { id, recurring }: Price): string {
  const label = `Switch to ${recurring.interval === "year" ? "yearly" : "monthly"}`;
  const fields = `${hidden("subscription", subscription.id)}${hidden("price", id)}`;
  return `<form method="post">${fields}${button("switch", label)}</form>`;
}

function renderCard({ card }: PaymentMethod): string {
  return `${escape(card.brand)} •••• ${escape(card.last4)}, expires ${card.exp_month}/${card.exp_year}`;
}

function renderInvoices(invoices: readonly Invoice[]): string {
  const rows = invoices.map(renderInvoice).join("");
  return `<h2>Invoices</h2>${invoices.length === 0 ? "<p>No invoices yet.</p>" : `<table>${rows}</table>`}`;
}

function otherPrices(account: Account, price: Price, features: PortalConfiguration["features"]): Price[] {
  const offered = features.subscription_update.products?.flatMap(({ prices }) => prices);
  return account
    .list("price")
    .filter(
      ({ id, active, product }) =>
        active && id !== price.id && (offered ? offered.includes(id) : product === price.product),
    );
}

function renderInvoice(invoice: Invoice): string {
  const pay =
    invoice.status === "open"
      ? `<form method="post">${hidden("invoice", invoice.id)}${button("pay", "Pay now")}</form>`
      : "";
  const cells = [date(invoice.created), escape(invoice.number ?? ""), money(invoice.total)];
  const row = [...cells, `${escape(String(invoice.status))}${pay}`].map((cell) => `<td>${cell}</td>`).join("");
  return `<tr>${row}</tr>`;
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${value}">`;
}

function button(value: string, label: string): string {
  return `<button name="do" value="${value}">${label}</button>`;
}

function money(cents: number): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(cents / 100);
}

function date(seconds: number): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(seconds * 1_000);
}

/** Subscriptions that have not ended. */
function runningSubscriptions(account: Account, customer: string): Subscription[] {
  return account
    .list("subscription")
    .filter(
      (subscription) =>
        subscription.customer === customer && !isOver(subscription) && subscription.status !== "incomplete",
    );
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
