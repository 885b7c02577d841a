/** HTML of the billing page: plain forms without a script. */
import type { Account } from "./account.ts";
import { isOver } from "./billing/ending.ts";
import { savedCard } from "./billing/invoicing.ts";
import type { Invoice, PaymentMethod, PortalSession, Price, Subscription } from "./state.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 36rem; margin: 24px auto; }
  label { display: block; }
  input, button { font: inherit; min-height: 44px; }
  td { padding: 8px; }
`;

const CARD_FORM = `<details><summary>Update card</summary><form method="post">
<label>Card number <input name="number" required></label>
<label>Expiration date <input name="expiry" required pattern="\\d{2} ?/ ?\\d{2}" placeholder="MM / YY"></label>
<label>Security code <input name="cvc" required></label>
<button name="do" value="card">Save card</button></form></details>`;

/** @param problem why the last action failed, or nothing */
export function renderPortal(account: Account, session: PortalSession, problem: string): string {
  const subscriptions = account
    .list("subscription")
    .filter((each) => each.customer === session.customer && !isOver(each) && each.status !== "incomplete");
  const invoices = account
    .list("invoice")
    .filter(({ customer, status }) => customer === session.customer && status !== "draft" && status !== "void");
  const card = subscriptions[0] && savedCard(account, subscriptions[0]);
  return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Billing (for development)</title><style>${STYLE}</style>
</head>
<body><main>
<a href="${escape(session.return_url ?? "/")}">Return to site</a>
<h1>Billing</h1>
<p><strong>For development only.</strong> No money moves, and only test cards work.</p>
<p role="alert">${escape(problem)}</p>
<h2>Current plan</h2>${subscriptions.map((each) => renderPlan(account, each)).join("") || "<p>None.</p>"}
<h2>Payment method</h2><p>${card ? renderCard(card) : "No card is saved."}</p>${CARD_FORM}
<h2>Invoices</h2><table>${invoices.map(renderInvoice).join("")}</table>
</main></body></html>`;
}

function renderPlan(account: Account, subscription: Subscription): string {
  const { id, cancel_at_period_end: ends, status } = subscription;
  const [{ price, current_period_end: end }] = subscription.items.data;
  const next = account.find("price", account.state.secrets.nextPrices[id] ?? null);
  const change = next ? ` Changes to ${costOf(next)} on ${date(end)}.` : "";
  const renewal = status === "past_due" ? "The last payment failed." : `Renews on ${date(end)}.${change}`;
  const others = account.list("price").filter((other) => other.active && other.product === price.product && !ends);
  return `<p>${costOf(price)}. ${ends ? `Your plan ends on ${date(end)}.` : renewal}</p>
${ends ? form("resume", "Don't cancel plan", { subscription: id }) : form("cancel", "Cancel plan", { subscription: id })}
${others
  .filter((other) => other.id !== price.id)
  .map((other) => form("switch", `Switch to ${costOf(other)}`, { subscription: id, price: other.id }))
  .join("")}`;
}

function renderCard({ card }: PaymentMethod): string {
  return `${card.brand} •••• ${card.last4}, expires ${card.exp_month}/${card.exp_year}`;
}

function renderInvoice({ id, created, number, total, status }: Invoice): string {
  const pay = status === "open" ? form("pay", "Pay now", { invoice: id }) : "";
  return `<tr>${[date(created), number, money(total), status, pay].map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function form(action: string, label: string, values: Record<string, string>): string {
  const hidden = Object.entries(values).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form method="post">${hidden.join("")}<button name="do" value="${action}">${label}</button></form>`;
}

function costOf({ unit_amount: cents, recurring }: Price): string {
  return `${money(cents)} per ${recurring.interval}`;
}

function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

function date(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
