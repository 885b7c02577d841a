/** Finds the viewer of a request. A browser without a valid device cookie gets a new one; a program has a token. */
import type { Middleware } from "koa";
import type { DeviceCookies } from "../../domain/accounts/device-cookie.ts";
import type { IdentifyViewer } from "../../domain/accounts/identify-viewer.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { Call } from "../../domain/call.ts";
import type { DeclaredState } from "./declared-call.ts";
import { isSafeOrOwn, type OriginCheck } from "./guards.ts";

export interface ViewerState extends DeclaredState {
  viewer: Viewer;
  /** Names this request in logs and traces; its id is in the answer of an internal error too. */
  call: Call;
  /** The body after validation by the declaration of the call. */
  input: unknown;
}

/** @param networkCode gives the code of an address's network */
export function identify(
  cookies: DeviceCookies,
  identifyViewer: IdentifyViewer,
  networkCode: (address: string) => string,
  isOwnOrigin: OriginCheck,
): Middleware<ViewerState> {
  return async (ctx, next) => {
    const { cookie, authorization } = ctx.headers;
    // Pages may be behind a proxy with a password of its own.
    const isForApi = ctx.path.startsWith("/api/");
    let viewer = await identifyViewer({ cookie, ...(isForApi ? { authorization } : {}) });
    if (viewer === null) {
      const issued = cookies.issue();
      // A form of another site comes without our cookies (SameSite=Lax), but the browser keeps those of the answer: they
      // would take the place of the visitor's, who would lose session and jobs.
      if (isSafeOrOwn(ctx, isOwnOrigin)) ctx.append("Set-Cookie", issued.setCookie);
      viewer = { deviceId: issued.deviceId, userId: null, tier: "free" };
    }
    ctx.state.viewer = { ...viewer, network: networkCode(ctx.ip), call: ctx.state.call };
    await next();
  };
}
