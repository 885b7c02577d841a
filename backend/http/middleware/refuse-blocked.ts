/** Refuses visitors whose network, browser or account the operator has blocked. */
import type { Middleware } from "koa";
import type { BlockList } from "../../domain/blocks/block-list.ts";
import type { ViewerState } from "./identify.ts";

/**
 * Before everything that visitors may get.
 * @param openPath of the payment provider's messages, which are signed and often come from the network of a cloud that
 *   others misuse
 * @returns a middleware that throws UserError "access_blocked"
 */
export function refuseBlockedNetworks(blocks: Pick<BlockList, "requireNetwork">, openPath: string): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== openPath) blocks.requireNetwork(ctx.ip);
    await next();
  };
}

/** After `identify`. @returns a middleware that throws UserError "access_blocked" */
export function refuseBlockedDevices(blocks: Pick<BlockList, "requireDevice">): Middleware<ViewerState> {
  return async (ctx, next) => {
    blocks.requireDevice(ctx.state.viewer.deviceId);
    await next();
  };
}

/** For what a blocked user may not do. @returns a middleware that throws UserError "access_blocked" */
export function refuseBlockedUsers(blocks: Pick<BlockList, "requireViewer">): Middleware<ViewerState> {
  return async (ctx, next) => {
    blocks.requireViewer(ctx.state.viewer);
    await next();
  };
}
