/** The route of the API's description. */
import type { Call } from "../api-description/call.ts";
import { Nothing } from "../api-description/schemas.ts";
import { CallRouter } from "../middleware/call-router.ts";

export const API_DOCUMENT_CALLS = {
  document: {
    route: "GET /api/openapi.json",
    group: "This site",
    summary: "This description",
    description: "To operators it also describes the calls of their page.",
    tokens: "any",
    answers: { 200: { description: "An OpenAPI 3.1 document", schema: Nothing, example: {} } },
  },
} satisfies Record<string, Call>;

/** @param describe makes the OpenAPI document of some calls */
export function apiDocumentRoutes(calls: readonly Call[], describe: (calls: readonly Call[]) => object): CallRouter {
  const router = new CallRouter();
  const forOperators = JSON.stringify(describe(calls));
  const forOthers = JSON.stringify(describe(calls.filter(({ group }) => group !== "Operator")));
  router.on(API_DOCUMENT_CALLS.document, (ctx) => {
    ctx.set("Cache-Control", "private, no-cache");
    ctx.type = "json";
    ctx.body = ctx.state.viewer.isOperator === true ? forOperators : forOthers;
  });
  return router;
}
