import type { ServerResponse } from "node:http";
import type { Context } from "koa";

/** The status for a caller that closed the connection, as nginx logs it. It is never received. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Answers a call whose work is given up when the caller closes the connection.
 * @param answer its signal fires then, and what it throws after that is ignored
 */
export async function answerUnlessClosed(
  ctx: Pick<Context, "res" | "status">,
  answer: (closed: AbortSignal) => Promise<void>,
): Promise<void> {
  const closed = abortOnClose(ctx.res);
  try {
    await answer(closed);
  } catch (error) {
    if (!closed.aborted) throw error;
    ctx.status = CLIENT_CLOSED_REQUEST;
  }
}

/** @returns a signal that fires when the caller closes the connection before the answer is sent */
function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableFinished) controller.abort(new Error("the caller closed the connection"));
  };
  // The caller may have left during the checks before the route.
  if (response.closed) onClose();
  else response.once("close", onClose);
  return controller.signal;
}
