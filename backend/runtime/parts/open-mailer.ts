import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { MailError, type ContactMailer } from "../../domain/contact/contact.ts";
import { createSmtpMailer, type SmtpMailer } from "../../mail/smtp-mailer.ts";

/**
 * Creates the sender of the contact form's messages. Logs instead of failing when the mail server refuses us, because
 * visitors can still convert.
 * @returns null if no mail server is set up
 */
export function openMailer(
  { mail, settings }: Config,
  started: AsyncDisposableStack,
  log: Logger,
): ContactMailer | null {
  if (mail === null) return null;
  const mailer = started.use(createSmtpMailer({ ...mail, timeoutMs: settings.mail.timeoutMs }));
  // Not awaited, because the server works without a mail server.
  void checkMailer(mailer, log);
  return mailer;
}

async function checkMailer(mailer: SmtpMailer, log: Logger): Promise<void> {
  try {
    await mailer.check();
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    log.error(`the contact form cannot send: ${error.message}`);
  }
}
