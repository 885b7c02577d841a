/** The last step of a start: HTTP routes and sockets. */
import type { Server } from "node:http";
import { UserError } from "../common/errors.ts";
import type { Config } from "./config/config.ts";
import { createDeviceCookies } from "./domain/accounts/device-cookie.ts";
import { createIdentifyViewer, createCookieVerifier, type VerifyCookies } from "./domain/accounts/identify-viewer.ts";
import { createNetworkCode } from "./domain/accounts/network.ts";
import { readOldCookies } from "./domain/accounts/old-cookies.ts";
import { watchTiers } from "./domain/accounts/tier-watch.ts";
import type { OperatorView } from "./domain/operator/operator-view.ts";
import type { OpenEvents } from "./http/routes/event-routes.ts";
import { createApp, createHealthApp, type AppSettings } from "./http/app.ts";
import { limitConnections } from "./http/every-request/connection-limits.ts";
import { installFrontDoor } from "./http/every-request/front-door.ts";
import { createSecurityHeaders } from "./http/every-request/security-headers.ts";
import { createOriginCheck } from "./http/middleware/guards.ts";
import { createAddressReader } from "./realtime/client-address.ts";
import { Realtime, SOCKET_PATH } from "./realtime/realtime.ts";
import type { Metrics } from "./runtime/metrics/metrics.ts";
import { openMailer } from "./runtime/parts/open-mailer.ts";
import { openLookups, openWaveforms } from "./runtime/parts/open-pipeline.ts";
import { createTraceCalls } from "./runtime/telemetry/call-traces.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { hasSite, type Foundation, type Product, type Start, type Work } from "./server-parts.ts";

export type Site = Awaited<ReturnType<typeof startSite>>;

export interface SiteParts {
  readonly foundation: Foundation;
  readonly product: Product;
  readonly work: Work;
  readonly metrics: Metrics;
  readonly operatorView: OperatorView;
}

/** Starts to answer requests: all routes and sockets, or only health and metrics with ROLE=worker. */
export async function startSite(http: Server, start: Start, parts: SiteParts) {
  const { config, runtime, log } = start;
  const traceCalls = createTraceCalls(start.tracer);
  const readiness = { isStopping: false };
  const health = { isReady: async () => !readiness.isStopping && (await parts.foundation.database.answersNow()) };
  const metrics = { page: parts.metrics, token: config.env.METRICS_TOKEN };
  const securityHeaders = await createSecurityHeaders({
    isSecure: isSecure(config),
    paymentPage: parts.product.paymentPage,
    distFolder: runtime.distFolder,
  });
  http.removeAllListeners("request");
  let realtime: Realtime | null = null;
  const openEvents: OpenEvents = (request, lastEventId) => {
    if (!realtime) throw new UserError("unavailable_now");
    return realtime.openEvents(request, lastEventId);
  };
  if (hasSite(config)) {
    const settings = createAppSettings(start, parts, { health, metrics, securityHeaders, openEvents, traceCalls });
    answerWithSite(http, settings, runtime);
    // After the site: Socket.IO puts itself before the request listeners that exist, or long polling is not answered.
    realtime = startSockets(http, start, parts, settings);
  } else {
    const answer = createHealthApp({ health, metrics, securityHeaders, log, traceCalls }).callback();
    http.on("request", (request, response) => void answer(request, response));
  }
  installFrontDoor(http, securityHeaders, {
    socketPath: SOCKET_PATH,
    publicUrl: config.publicUrl,
    // In development anybody who reaches the server can sign in, so a name must not lead to it from another site's page.
    takesLocalNames: config.isProduction && config.env.PUBLIC_URL === undefined,
  });
  const { headersMs, requestMs, connectionsPerNetwork } = config.settings.site;
  limitConnections(http, {
    headersMs,
    requestMs,
    perNetwork: config.env.TRUST_PROXY === 0 ? connectionsPerNetwork : null,
  });
  return { realtime, readiness };
}

/** The settings of the application, and what the sockets need beside them. */
interface SiteSettings extends AppSettings {
  readonly verifyCookies: VerifyCookies;
}

function createAppSettings(
  { config, runtime, started, log }: Start,
  { foundation, product, work, operatorView }: SiteParts,
  shared: Pick<AppSettings, "health" | "metrics" | "securityHeaders" | "openEvents" | "traceCalls">,
): SiteSettings {
  const { domain, billing, paymentPage } = product;
  const { sessionKeys, sampleLinks, distFolder } = runtime;
  const secure = isSecure(config);
  const cookies = createDeviceCookies(sessionKeys, secure);
  const oldCookies = readOldCookies({ keys: sessionKeys, isSecure: secure, sessionMs: config.sessionMs });
  const verifyCookies = createCookieVerifier({ devices: cookies, oldCookies, keys: sessionKeys, isSecure: secure });
  return {
    ...shared,
    domain,
    ...(runtime.lookups ?? openLookups(config, work.pipeline, domain.blocks, work.scratchFolder, started)),
    waveforms: openWaveforms({ ...work, store: foundation.store }, started),
    store: foundation.store,
    earlyDownloads: { files: foundation.earlyFiles, waitMs: config.settings.site.earlyRangeWaitMs },
    billing,
    paymentPage,
    cookies,
    oldCookies,
    verifyCookies,
    identifyViewer: createIdentifyViewer(domain, verifyCookies),
    networkCode: createNetworkCode(sessionKeys[0] ?? ""),
    sessionKeys,
    signIn: config.signIn ?? runtime.identityProvider?.signIn ?? null,
    signInTiming: { timeoutMs: config.settings.signIn.timeoutMs, sessionMs: config.sessionMs },
    looksUpSponsored: config.env.YOUTUBE_SPONSORBLOCK_URL !== undefined,
    publicUrl: config.publicUrl,
    siteUrl: config.env.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    trustedProxies: config.env.TRUST_PROXY,
    rateLimits: config.settings.rates,
    downloadsPerNetwork: config.settings.site.downloadsPerNetwork,
    openCounter: foundation.sharing.openCounter,
    isOwnOrigin: createOriginCheck(config.publicUrl),
    database: foundation.database,
    sampleLinks,
    siteReports: foundation.siteReports,
    sendWebhookMessage: work.sendWebhookMessage,
    operatorView,
    distFolder,
    contacts: config.contacts,
    mailer: openMailer(config, started, log),
    isSecure: secure,
    log,
  };
}

/** Answers requests of the site, and in development those of the identity provider below its path. */
function answerWithSite(http: Server, settings: AppSettings, { identityProvider }: Runtime): void {
  const answer = createApp(settings).callback();
  http.on("request", (request, response) => {
    if (identityProvider && request.url?.startsWith(`${identityProvider.prefix}/`))
      identityProvider.handle(request, response);
    else void answer(request, response);
  });
}

function startSockets(
  http: Server,
  { config, started, onError }: Start,
  parts: SiteParts,
  settings: SiteSettings,
): Realtime {
  const { foundation, metrics } = parts;
  const { database } = foundation;
  const { domain, verifyCookies, identifyViewer, isOwnOrigin } = settings;
  const realtime = new Realtime(http, domain, {
    prove: verifyCookies,
    identify: (credentials) => database.during(() => identifyViewer(credentials)),
    database,
    isOwnOrigin,
    addressOf: createAddressReader(config.env.TRUST_PROXY),
    cluster: foundation.sharing.cluster,
    siteReports: foundation.siteReports,
    operatorView: parts.operatorView,
    ...config.settings.realtime,
    countPush: (event) => metrics.countPush(event),
    onError,
  });
  metrics.show("tapedeck_sockets", () => realtime.socketCount());
  const tierWatch = watchTiers(domain, config.settings.realtime.tierPollMs, onError);
  started.defer(() => tierWatch.stop());
  return realtime;
}

function isSecure({ publicUrl }: Config): boolean {
  return publicUrl.startsWith("https:");
}
