/** The route of the contact form. */
import { ContactAnswer, ContactMessage } from "../../../common/contact-message.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { sendContactMessage } from "../../domain/contact/send-message.ts";
import type { Call } from "../api-description/call.ts";
import { CallRouter } from "../middleware/call-router.ts";
import type { Limit } from "../middleware/limit.ts";

export const CONTACT_CALLS = {
  send: {
    route: "POST /api/contact",
    group: "Contact",
    summary: "Write to the operator of this site",
    request: {
      name: "ContactMessage",
      schema: ContactMessage,
      example: {
        firstName: "Ada",
        lastName: "Lovelace",
        email: "ada@example.com",
        subject: "technical",
        message: "The file does not play on my old player.",
      },
    },
    answers: {
      200: {
        description: "The mail server has it",
        name: "ContactAnswer",
        schema: ContactAnswer,
        example: { sent: true },
      },
    },
    errors: ["rate_limited", "message_not_sent"],
    untried: "it writes to the operator",
  },
} satisfies Record<string, Call>;

/** Users whose account is blocked may write too: their refusal names the contact page. */
export function contactRoutes(contact: Contact, limit: Limit): CallRouter {
  const router = new CallRouter();

  const limited = limit("contact");
  router.on(CONTACT_CALLS.send, (ctx) =>
    // After the body is judged: a form with a mistake in it does not count.
    limited(ctx, async () => {
      await sendContactMessage(contact, ctx.state.viewer, ctx.state.input);
      ctx.body = { sent: true } satisfies ContactAnswer;
    }),
  );

  return router;
}
