/** The route of the API's description. */
import type { Call } from "../api-description/call.ts";
import { Nothing } from "../api-description/schemas.ts";
import { CallRouter } from "../middleware/call-router.ts";

export const API_DOCUMENT_CALLS = {
  document: {
    route: "GET /api/openapi.json",
    group: "This site",
    summary: "This description",
    tokens: "any",
    answers: { 200: { description: "An OpenAPI 3.1 document", schema: Nothing, example: {} } },
  },
} satisfies Record<string, Call>;

/** @param document the OpenAPI document */
export function apiDocumentRoutes(document: object): CallRouter {
  const router = new CallRouter();
  const text = JSON.stringify(document);
  router.on(API_DOCUMENT_CALLS.document, (ctx) => {
    ctx.type = "json";
    ctx.body = text;
  });
  return router;
}
