import type { ContactMessage, ContactSubject } from "../../../common/contact-message.ts";
import { UserError } from "../../../common/errors.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { MailError, type Contact, type ContactMail } from "./contact.ts";

/** In the operator's mail. */
const SUBJECT_NAMES: Readonly<Record<ContactSubject, string>> = {
  technical: "Technical support",
  billing: "Billing",
  feature: "Feature request",
  bug: "Bug report",
  general: "General question",
  partnership: "Partnership",
};
const TIER_NAMES: Readonly<Record<Tier, string>> = { free: "Free", pro: "Pro" };

/**
 * Sends a visitor's message to the operator. Resolves when the mail server has accepted it; nothing of it is stored.
 * @throws UserError message_not_sent; its cause has nothing of the message
 */
export async function sendContactMessage(
  { mailer, bus }: Contact,
  { tier }: Pick<Viewer, "tier">,
  message: ContactMessage,
): Promise<void> {
  if (mailer === null) throw new UserError("message_not_sent");
  try {
    await mailer.send(composeMail(message, tier));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    bus.publish("contact:ended", { outcome: "failed" });
    throw Object.assign(new UserError("message_not_sent"), { cause: error });
  }
  bus.publish("contact:ended", { outcome: "sent" });
}

/** @returns a mail that begins with the visitor's own words; its subject puts Pro users, who are answered first, apart */
function composeMail({ firstName, lastName, email, subject, message }: ContactMessage, tier: Tier): ContactMail {
  const name = `${firstName} ${lastName}`;
  const about = SUBJECT_NAMES[subject];
  return {
    replyTo: { name, address: email },
    subject: `${about}${tier === "pro" ? " (Pro)" : ""}: ${name}`,
    text: `${message}\n\n-- \n${name} <${email}>\nSubject: ${about}\nPlan: ${TIER_NAMES[tier]}\n`,
  };
}
