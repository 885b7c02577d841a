/** The route of the API's description. */
import Router from "koa-router";
import { describeApi } from "../api-description/openapi-document.ts";

export function apiDocumentRoutes(publicUrl: string): Router {
  const router = new Router();
  const text = JSON.stringify(describeApi(publicUrl));
  router.get("/api/openapi.json", (ctx) => {
    ctx.type = "json";
    ctx.body = text;
  });
  return router;
}
