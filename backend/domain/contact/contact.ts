/** What the contact form needs: a way to send mail to the operator. */
import type { Bus } from "../bus.ts";

/** A plain text mail to the operator. */
export interface ContactMail {
  /** The visitor, to whom the operator's answer goes. */
  readonly replyTo: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
}

/** The mail was not accepted. The message is for the log: it says why, and has nothing of the mail. */
export class MailError extends Error {
  override readonly name = "MailError";
}

export interface ContactMailer {
  /**
   * Resolves when a mail server has accepted the mail, within a bounded time.
   * @throws MailError
   */
  send(mail: ContactMail): Promise<void>;
}

export interface Contact {
  /** Null if no mail server is set up. */
  readonly mailer: ContactMailer | null;
  readonly bus: Pick<Bus, "publish">;
}
