/** A message of the contact form. In a file of its own, which only the server and the contact page load. */
import { z } from "zod";

/** In the order of the form. */
export const CONTACT_SUBJECTS = ["technical", "billing", "feature", "bug", "general", "partnership"] as const;
export const ContactSubject = z.enum(CONTACT_SUBJECTS);
export type ContactSubject = z.infer<typeof ContactSubject>;

/** In UTF-16 code units, as browsers count them. */
export const MAX_NAME_LENGTH = 100;
/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
export const MAX_MESSAGE_LENGTH = 5_000;

/** A name is part of a mail's header, so it must be a single line. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u);

/** Makes all line ends `\n`, and removes the other control characters except tabs. */
function plainText(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

/** POST /api/contact. */
export const ContactMessage = z.object({
  firstName: Name,
  lastName: Name,
  email: z.string().trim().max(MAX_EMAIL_LENGTH).pipe(z.email()),
  subject: ContactSubject,
  message: z.string().transform(plainText).pipe(z.string().trim().min(1).max(MAX_MESSAGE_LENGTH)),
});
export type ContactMessage = z.infer<typeof ContactMessage>;

/** Response of POST /api/contact, after the mail server has accepted the message. */
export const ContactAnswer = z.object({ sent: z.literal(true) });
export type ContactAnswer = z.infer<typeof ContactAnswer>;
