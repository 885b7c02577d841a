/** The web role's HTTP side: what every request passes, then the routes. */
import Koa from "koa";
import bodyParser from "koa-bodyparser";
import helmet from "koa-helmet";
import type { Logger } from "pino";
import type { SampleLink } from "../../common/api.ts";
import type { DeviceCookies } from "../domain/device-cookie.ts";
import type { Domain } from "../domain/domain.ts";
import type { FileStore } from "../storage/file-store.ts";
import { conversionRoutes } from "./conversion-routes.ts";
import { renderErrors } from "./errors.ts";
import { requireOwnJson, type OriginCheck } from "./guards.ts";
import { identify, type ViewerState } from "./identify.ts";
import { revalidate } from "./revalidate.ts";
import { serveAssets, servePage } from "./page.ts";
import { healthRoutes, siteRoutes, type Health } from "./site-routes.ts";

export interface AppSettings {
  readonly domain: Domain;
  readonly store: FileStore;
  readonly cookies: DeviceCookies;
  readonly isOwnOrigin: OriginCheck;
  readonly health: Health;
  readonly sampleLinks: readonly SampleLink[];
  readonly distFolder: string;
  readonly isSecure: boolean;
  readonly log: Logger;
}

/** Far more than the longest link and its batch of 20 weigh. */
const MAX_BODY = "100kb";

export function createApp(settings: AppSettings): Koa<ViewerState> {
  const app = new Koa<ViewerState>();
  // Errors are rendered and logged by us; what is left is a browser that went away in mid-answer.
  app.on("error", (error: unknown) => settings.log.debug({ error }, "an answer could not be sent"));

  app.use(renderErrors(settings.log));
  app.use(securityHeaders(settings.isSecure));
  app.use(healthRoutes(settings.health).routes());
  app.use(serveAssets(settings.distFolder));
  app.use(identify(settings.cookies));
  app.use(servePage(settings.distFolder));
  app.use(revalidate());
  app.use(requireOwnJson(settings.isOwnOrigin));
  app.use(bodyParser({ enableTypes: ["json"], jsonLimit: MAX_BODY, strict: true }));
  app.use(conversionRoutes(settings.domain, settings.store).routes());
  app.use(siteRoutes(settings.domain, settings.sampleLinks).routes());
  return app;
}

function securityHeaders(isSecure: boolean): Koa.Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Chakra writes its rules into style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    strictTransportSecurity: isSecure,
    crossOriginEmbedderPolicy: false,
  });
}
