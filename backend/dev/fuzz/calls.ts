/**
 * Every route, as a valid call. A name in braces is replaced by a value of the visitor who sends the call, see
 * visitors.ts; a name that the visitor lacks becomes "none".
 */

export interface Call {
  /** Method and route, as `access-matrix.test.ts` names them. */
  readonly route: string;
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly headerLines?: readonly string[];
  /** How often it is chosen; 1 unless given. Calls that end an account or a session are rare. */
  readonly weight?: number;
  /** Always refused: no visitor of the fuzz is an operator, who could pause the server. */
  readonly isForOperators?: true;
}

const create = JSON.stringify({ youtubeUrl: "{link}", format: "mp3" });

export const CALLS: readonly Call[] = [
  { route: "GET /healthz", path: "/healthz" },
  { route: "GET /readyz", path: "/readyz" },
  { route: "GET /metrics", path: "/metrics", headerLines: ["Authorization: Bearer {metricsToken}"] },
  { route: "GET /api/config", path: "/api/config" },
  { route: "GET /api/device-info", path: "/api/device-info" },
  { route: "GET /api/openapi.json", path: "/api/openapi.json" },
  // It does not end: each call waits until the time for answers is over.
  { route: "GET /api/events", path: "/api/events", weight: 0.01 },
  { route: "GET /api/site-status", path: "/api/site-status" },
  { route: "GET /api/tokens", path: "/api/tokens" },
  { route: "POST /api/tokens", path: "/api/tokens", body: JSON.stringify({ name: "{random}", scopes: ["read"] }) },
  { route: "DELETE /api/tokens/:id", path: "/api/tokens/{token}", weight: 0.3 },
  { route: "GET /api/webhooks", path: "/api/webhooks" },
  { route: "POST /api/webhooks", path: "/api/webhooks", body: JSON.stringify({ url: "https://{random}.invalid/" }) },
  { route: "POST /api/webhooks/:id/test", path: "/api/webhooks/{webhook}/test", body: "{}", weight: 0.3 },
  { route: "POST /api/webhooks/:id/enable", path: "/api/webhooks/{webhook}/enable", body: "{}", weight: 0.3 },
  { route: "DELETE /api/webhooks/:id", path: "/api/webhooks/{webhook}", weight: 0.3 },
  { route: "GET /api/usage", path: "/api/usage" },
  { route: "POST /api/preview", path: "/api/preview", body: JSON.stringify({ youtubeUrl: "{link}" }), weight: 3 },
  {
    route: "POST /api/lists",
    path: "/api/lists",
    body: JSON.stringify({ youtubeUrl: "{list}", offset: 0 }),
  },
  { route: "GET /api/conversions", path: "/api/conversions" },
  { route: "POST /api/conversions", path: "/api/conversions", body: create, weight: 4 },
  { route: "GET /api/conversions/:id", path: "/api/conversions/{job}", weight: 2 },
  { route: "GET /api/conversions/:id/file", path: "/api/conversions/{job}/file", weight: 4 },
  { route: "GET /api/conversions/:id/thumbnail", path: "/api/conversions/{job}/thumbnail", weight: 2 },
  {
    route: "POST /api/conversions/:id/retry",
    path: "/api/conversions/{failedJob}/retry",
    body: "{}",
    // Each one reads the page of the failed job anew.
    weight: 0.3,
  },
  {
    route: "POST /api/batch-conversions",
    path: "/api/batch-conversions",
    body: JSON.stringify({ urls: ["{link}", "{link}?other", "x"], format: "mp4", quality: "480p" }),
    weight: 3,
  },
  {
    route: "POST /api/selections",
    path: "/api/selections",
    body: JSON.stringify({ title: "{random}", urls: ["{link}", "{link}?other", "x"], format: "mp3" }),
  },
  { route: "GET /api/batch-conversions/:id/zip", path: "/api/batch-conversions/{batch}/zip", weight: 2 },
  { route: "POST /api/batch-conversions/:id/retry", path: "/api/batch-conversions/{batch}/retry", body: "{}" },
  { route: "DELETE /api/batch-conversions/:id", path: "/api/batch-conversions/{batch}", body: "{}" },
  // Rare: the visitor has no job until the next refresh.
  { route: "DELETE /api/conversions/:id", path: "/api/conversions/{job}", body: "{}", weight: 0.2 },
  { route: "GET /api/auth/user", path: "/api/auth/user" },
  { route: "GET /api/account/export", path: "/api/account/export" },
  { route: "POST /api/create-subscription", path: "/api/create-subscription", body: '{"plan":"yearly"}' },
  { route: "POST /api/billing-portal", path: "/api/billing-portal", body: "{}" },
  {
    route: "POST /api/stripe-webhook",
    path: "/api/stripe-webhook",
    body: JSON.stringify({
      id: "evt_{random}",
      object: "event",
      type: "customer.subscription.updated",
      livemode: false,
      data: { object: { id: "sub_1", object: "subscription", customer: "cus_{random}" } },
    }),
    headerLines: ["Stripe-Signature: {signature}"],
    weight: 4,
  },
  {
    route: "POST /api/contact",
    path: "/api/contact",
    body: JSON.stringify({
      firstName: "Ada",
      lastName: "{random}",
      email: "ada@example.com",
      subject: "bug",
      message: "It hums. {link}",
    }),
    weight: 2,
  },
  { route: "POST /api/operator/watch", isForOperators: true, path: "/api/operator/watch", body: "{}" },
  { route: "GET /api/operator/history", isForOperators: true, path: "/api/operator/history" },
  { route: "GET /api/operator/records", isForOperators: true, path: "/api/operator/records" },
  { route: "POST /api/operator/acts", isForOperators: true, path: "/api/operator/acts", body: '{"act":"resume"}' },
  {
    route: "POST /api/operator/accounts",
    isForOperators: true,
    path: "/api/operator/accounts",
    body: '{"email":"free@fuzz.example"}',
  },
  {
    route: "GET /api/operator/accounts/:id/export",
    isForOperators: true,
    path: "/api/operator/accounts/{random}/export",
  },
  { route: "GET /api/login", path: "/api/login?fresh", headerLines: ["Sec-Fetch-Site: same-origin"], weight: 2 },
  { route: "GET /api/sign-in/provider/callback", path: "/api/sign-in/provider/callback?code=x&state=x", weight: 3 },
  { route: "GET /api/logout", path: "/api/logout", headerLines: ["Sec-Fetch-Site: same-origin"], weight: 0.1 },
  { route: "POST /api/logout", path: "/api/logout", body: "{}", weight: 0.1 },
  { route: "POST /api/logout-everywhere", path: "/api/logout-everywhere", body: "{}", weight: 0.1 },
  {
    route: "DELETE /api/account",
    path: "/api/account",
    body: JSON.stringify({ confirmation: "delete my account" }),
    weight: 0.1,
  },
];

/** What is served beside the routes: pages, sockets, the development sign-in, and addresses that do not exist. */
export const OTHER_CALLS: readonly Call[] = [
  { route: "GET /", path: "/" },
  { route: "GET /pro", path: "/pro" },
  { route: "GET /subscribe", path: "/subscribe?plan=monthly" },
  { route: "GET /no-such-page", path: "/no-such-page" },
  { route: "GET /api/no-such-route", path: "/api/no-such-route" },
  { route: "GET /no-such.js", path: "/no-such.js" },
  { route: "GET /service-worker.js", path: "/service-worker.js" },
  { route: "GET /development-sign-in/auth", path: "/development-sign-in/auth?client_id=tapedeck&response_type=code" },
  { route: "GET /development-sign-in/:path", path: "/development-sign-in/.well-known/openid-configuration" },
  { route: "POST /development-sign-in/token", path: "/development-sign-in/token", body: '{"grant_type":"x"}' },
  { route: "GET /socket.io/ (open)", path: "/socket.io/?EIO=4&transport=polling" },
  { route: "GET /socket.io/ (poll)", path: "/socket.io/?EIO=4&transport=polling&sid={session}" },
  { route: "POST /socket.io/", path: "/socket.io/?EIO=4&transport=polling&sid={session}", body: "40" },
  ...["DELETE", "PATCH", "TRACE"].map((method) => ({
    route: `${method} /socket.io/`,
    path: "/socket.io/?EIO=4&transport=polling&sid={session}",
  })),
];
