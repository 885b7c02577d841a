/** The Koa application: the middleware that every request passes, then the routes. */
import Koa from "koa";
import type { Logger } from "pino";
import type { Contacts } from "../../common/contacts.ts";
import { cookieNames } from "../domain/accounts/cookie-names.ts";
import type { DeviceCookies } from "../domain/accounts/device-cookie.ts";
import type { IdentifyViewer } from "../domain/accounts/identify-viewer.ts";
import type { OldCookies } from "../domain/accounts/old-cookies.ts";
import type { Billing } from "../domain/billing/billing.ts";
import type { ContactMailer } from "../domain/contact/contact.ts";
import type { DatabaseWatch } from "../domain/database/database-watch.ts";
import type { Domain } from "../domain/domain.ts";
import type { Lists } from "../domain/jobs/lists.ts";
import type { OperatorView } from "../domain/operator/operator-view.ts";
import type { Previews } from "../domain/jobs/previews.ts";
import type { Waveforms } from "../domain/jobs/waveforms.ts";
import type { SendMessage } from "../domain/webhooks/deliver.ts";
import type { FileStore } from "../storage/file-store.ts";
import { renderErrors } from "./every-request/errors.ts";
import { needDatabase } from "./every-request/need-database.ts";
import type { SecurityHeaders } from "./every-request/security-headers.ts";
import type { TraceCalls } from "./every-request/trace-calls.ts";
import { logUnsentAnswers } from "./every-request/unsent-answers.ts";
import { requireOwnJson, type OriginCheck } from "./middleware/guards.ts";
import { describeApi } from "./api-description/openapi-document.ts";
import { findDeclared } from "./middleware/declared-call.ts";
import { judgeParameters } from "./middleware/judge-parameters.ts";
import { limitTokens } from "./middleware/limit-tokens.ts";
import { identify, type ViewerState } from "./middleware/identify.ts";
import type { OpenCounter } from "./middleware/limit-counters.ts";
import { limitDownloads } from "./middleware/limit-downloads.ts";
import { createLimit, type Limit } from "./middleware/limit.ts";
import type { RateLimits } from "./middleware/rate-limits.ts";
import { readJson } from "./middleware/read-json.ts";
import { refuseBlockedDevices, refuseBlockedNetworks, refuseBlockedUsers } from "./middleware/refuse-blocked.ts";
import { renameOldCookies } from "./middleware/rename-old-cookies.ts";
import { revalidate } from "./middleware/revalidate.ts";
import { sessions } from "./middleware/session.ts";
import { openLinkInPath } from "./pages/link-in-path.ts";
import { openPageFiles } from "./pages/page-files.ts";
import { serveAssets, servePage } from "./pages/page.ts";
import { accountRoutes } from "./routes/account-routes.ts";
import { batchRoutes } from "./routes/batch-routes.ts";
import { billingRoutes, WEBHOOK_PATH, webhookRoutes } from "./routes/billing-routes.ts";
import { CALLS } from "./routes/calls.ts";
import { contactRoutes } from "./routes/contact-routes.ts";
import { cutRoutes } from "./routes/cut-routes.ts";
import { eventRoutes, type OpenEvents } from "./routes/event-routes.ts";
import { conversionRoutes, type EarlyDownloads } from "./routes/conversion-routes.ts";
import { metricsRoutes, type MetricsPage } from "./routes/metrics-routes.ts";
import { apiDocumentRoutes } from "./routes/api-document-routes.ts";
import { operatorRoutes } from "./routes/operator-routes.ts";
import { listRoutes } from "./routes/list-routes.ts";
import { followRoutes } from "./routes/follow-routes.ts";
import { selectionRoutes } from "./routes/selection-routes.ts";
import { previewRoutes } from "./routes/preview-routes.ts";
import { signInRoutes } from "./routes/sign-in-routes.ts";
import { feedRoutes, sharedFeedRoutes } from "./routes/feed-routes.ts";
import { fileLinkRoutes, linkedFileRoutes } from "./routes/file-link-routes.ts";
import { healthRoutes, siteRoutes, type Health, type SiteRouteSettings } from "./routes/site-routes.ts";
import { tokenRoutes } from "./routes/token-routes.ts";
import { usageRoutes } from "./routes/usage-routes.ts";
import { accountWebhookRoutes } from "./routes/webhook-routes.ts";
import { CodeFlow } from "./sign-in/code-flow.ts";
import type { SignInSettings, SignInTiming } from "./sign-in/settings.ts";

export interface AppSettings extends Omit<SiteRouteSettings, "signInAvailable"> {
  readonly domain: Domain;
  readonly previews: Previews;
  readonly lists: Lists;
  readonly waveforms: Waveforms;
  readonly store: FileStore;
  readonly earlyDownloads: EarlyDownloads;
  readonly billing: Billing;
  readonly cookies: DeviceCookies;
  readonly oldCookies: OldCookies;
  readonly identifyViewer: IdentifyViewer;
  /** Gives the code of an address's network. */
  readonly networkCode: (address: string) => string;
  /** The keys that sign cookies, newest first. */
  readonly sessionKeys: readonly string[];
  /** Null if no identity provider is set up. */
  readonly signIn: SignInSettings | null;
  readonly signInTiming: SignInTiming;
  readonly publicUrl: string;
  /** The same if the operator has set it; null otherwise. */
  readonly siteUrl: string | null;
  /** The number of proxies in front of the server; "all": every entry of `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number | "all";
  readonly isOwnOrigin: OriginCheck;
  readonly rateLimits: RateLimits;
  /** Most downloads that one network may have open at the same time. */
  readonly downloadsPerNetwork: number;
  readonly openEvents: OpenEvents;
  /** Opens the counters of the rate limits. */
  readonly openCounter: OpenCounter;
  readonly health: Health;
  readonly database: Pick<DatabaseWatch, "during">;
  readonly metrics: { readonly page: MetricsPage; readonly token: string | undefined };
  readonly sendWebhookMessage: SendMessage;
  readonly operatorView: OperatorView;
  readonly distFolder: string;
  /** The email addresses on the pages, and whether the contact page has a form. */
  readonly contacts: Contacts;
  /** Null if no mail server is set up. */
  readonly mailer: ContactMailer | null;
  readonly isSecure: boolean;
  /** The front door sets these headers. Koa removes all headers from some errors, and they are set again there. */
  readonly securityHeaders: SecurityHeaders;
  readonly log: Logger;
  readonly traceCalls: TraceCalls;
}

/** The application of a process without a site: health checks and metrics. */
export function createHealthApp({
  health,
  metrics,
  securityHeaders,
  log,
  traceCalls,
}: Pick<AppSettings, "health" | "metrics" | "securityHeaders" | "log" | "traceCalls">): Koa {
  const app = new Koa();
  logUnsentAnswers(app, securityHeaders, log);
  app.use(renderErrors({ log, traceCalls }));
  app.use(healthRoutes(health).routes());
  app.use(metricsRoutes(metrics.page, metrics.token).routes());
  return app;
}

/** @returns the application of a web process; the order of its middleware matters */
export function createApp(settings: AppSettings): Koa<ViewerState> {
  const { domain, isSecure, signInTiming } = settings;
  const app = new Koa<ViewerState>({
    proxy: settings.trustedProxies !== 0,
    // Only the last entries of the header were written by our own proxies; 0 trusts all entries.
    maxIpsCount: settings.trustedProxies === "all" ? 0 : settings.trustedProxies,
    keys: [...settings.sessionKeys],
  });
  logUnsentAnswers(app, settings.securityHeaders, settings.log);
  app.use(renderErrors(settings));
  app.use(healthRoutes(settings.health).routes());
  app.use(metricsRoutes(settings.metrics.page, settings.metrics.token).routes());
  app.use(refuseBlockedNetworks(domain.blocks, WEBHOOK_PATH));
  const limit = createLimit(settings.rateLimits, settings.openCounter);
  const downloads = limitDownloads(settings.downloadsPerNetwork);
  app.use(sharedFeedRoutes(domain, { ...settings, limit, downloads }).routes());
  const pages = openPageFiles(settings.distFolder, settings.contacts, settings.siteUrl);
  app.use(openLinkInPath(domain.videoHosts));
  app.use(serveAssets(settings.distFolder, pages));
  app.use(renameOldCookies(settings.oldCookies));
  app.use(needDatabase(settings.database, cookieNames(isSecure).session));
  app.use(webhookRoutes(settings.billing).routes());
  app.use(identify(settings.cookies, settings.identifyViewer, settings.networkCode, settings.isOwnOrigin));
  app.use(refuseBlockedDevices(domain.blocks));
  app.use(linkedFileRoutes(domain, settings.store, downloads).routes());
  app.use(findDeclared(CALLS));
  app.use(limitTokens());
  app.use(servePage(pages));
  app.use(sessions(app, domain, { sessionMs: signInTiming.sessionMs, isSecure }));
  app.use(revalidate());
  app.use(requireOwnJson(settings.isOwnOrigin));
  app.use(readJson());
  app.use(judgeParameters());
  addRoutes(app, settings, limit, downloads);
  return app;
}

function addRoutes(
  app: Koa<ViewerState>,
  settings: AppSettings,
  limit: Limit,
  downloads: Koa.Middleware<ViewerState>,
): void {
  const { domain, store, previews, lists, waveforms, billing, publicUrl } = settings;
  const { signIn, cookies, isOwnOrigin, log } = settings;
  const { sessionMs, timeoutMs } = settings.signInTiming;
  const flow = signIn && new CodeFlow(signIn, publicUrl, timeoutMs);
  app.use(apiDocumentRoutes(CALLS, (calls) => describeApi(publicUrl, calls)).routes());
  app.use(conversionRoutes(domain, limit, { store, early: settings.earlyDownloads, limit: downloads }).routes());
  app.use(cutRoutes(domain, waveforms, limit).routes());
  app.use(fileLinkRoutes(domain, limit).routes());
  app.use(feedRoutes(domain, limit).routes());
  app.use(eventRoutes(settings.openEvents).routes());
  app.use(previewRoutes(domain, previews, limit).routes());
  app.use(listRoutes(domain, lists, limit).routes());
  app.use(selectionRoutes(domain, limit).routes());
  app.use(followRoutes(domain, lists, limit).routes());
  app.use(batchRoutes(domain, store, limit, downloads).routes());
  app.use(billingRoutes(billing, publicUrl, limit, refuseBlockedUsers(domain.blocks)).routes());
  app.use(usageRoutes(domain).routes());
  app.use(tokenRoutes(domain, limit).routes());
  app.use(accountWebhookRoutes(domain, settings.sendWebhookMessage, limit).routes());
  app.use(contactRoutes({ mailer: settings.mailer, bus: domain.bus }, limit).routes());
  app.use(signInRoutes(domain, { flow, cookies, limit, isOwnOrigin, sessionMs, publicUrl, log }).routes());
  app.use(accountRoutes(domain, billing, limit, log).routes());
  app.use(operatorRoutes(domain, billing, settings.operatorView, { limit, publicUrl }).routes());
  app.use(siteRoutes(domain, { ...settings, signInAvailable: flow !== null }).routes());
}
