/** A router that takes declared calls only. */
import type { Middleware } from "koa";
import { Router, type RouterMiddleware } from "koa-router";
import { addressOf, type Call } from "../api-description/call.ts";
import { json } from "./guards.ts";
import type { ViewerState } from "./identify.ts";

type Handler<Input> = RouterMiddleware<ViewerState & { input: Input }>;
type Guard = Middleware<ViewerState>;

export class CallRouter {
  readonly #router = new Router<ViewerState>();

  on<Input>(call: Call<Input>, handler: Handler<Input>): void;
  on<Input>(call: Call<Input>, guards: readonly Guard[], handler: Handler<Input>): void;
  /** @param guards what the call must pass, in this order, before its body is judged and put on `ctx.state.input` */
  on<Input>(call: Call<Input>, ...steps: [Handler<Input>] | [readonly Guard[], Handler<Input>]): void {
    const [guards, handler] = steps.length === 1 ? [[], steps[0]] : steps;
    const [method, path] = addressOf(call);
    const judged = call.request ? [json(call.request.schema)] : [];
    // The router has one type of state for all its routes; here each route has the input that `json` puts there.
    this.#router.register(path, [method], [...guards, ...judged, handler] as RouterMiddleware<ViewerState>[]);
  }

  routes(): RouterMiddleware<ViewerState> {
    return this.#router.routes();
  }
}
