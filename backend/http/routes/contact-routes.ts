/** The route of the contact form. */
import Router from "koa-router";
import { ContactMessage, type ContactAnswer } from "../../../common/contact-message.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { sendContactMessage } from "../../domain/contact/send-message.ts";
import { json } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

/** Users whose account is blocked may write too: their refusal names the contact page. */
export function contactRoutes(contact: Contact, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/contact" });

  router.post("/", limit("contact"));
  router.post("/", json(ContactMessage), async (ctx) => {
    await sendContactMessage(contact, ctx.state.viewer, ctx.state.input);
    ctx.body = { sent: true } satisfies ContactAnswer;
  });

  return router;
}
