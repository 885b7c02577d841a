/** Who is calling: every answer to a browser without a device gives it one. */
import type { Middleware } from "koa";
import type { DeviceCookies } from "../domain/device-cookie.ts";
import type { Viewer } from "../domain/viewer.ts";

export interface ViewerState {
  viewer: Viewer;
  /** Names this request in the log and in an answer that says we are at fault. */
  requestId: string;
  input: unknown;
}

export function identify(cookies: DeviceCookies): Middleware<ViewerState> {
  return async (ctx, next) => {
    let deviceId = cookies.read(ctx.headers.cookie);
    if (deviceId === null) {
      const issued = cookies.issue();
      deviceId = issued.deviceId;
      ctx.append("Set-Cookie", issued.setCookie);
    }
    ctx.state.viewer = { deviceId, userId: null, tier: "free" };
    await next();
  };
}
