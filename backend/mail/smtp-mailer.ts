/** Sends the contact form's mails with nodemailer. Nothing is queued: a mail is accepted now, or the visitor is told. */
import { createTransport } from "nodemailer";
import { z } from "zod";
import { MailError, type ContactMail, type ContactMailer } from "../domain/contact/contact.ts";
import type { SmtpAddress } from "./smtp-address.ts";

/** Visitors wait for the answer, and each mail has a connection of its own. */
const MOST_AT_ONCE = 10;
/** A mail server's answer may be long, and the log needs its beginning. */
const MAX_ANSWER_LENGTH = 200;

export interface SmtpMailerSettings {
  readonly server: SmtpAddress;
  /** Address that the mails come from. */
  readonly from: string;
  /** The operator's address. */
  readonly to: string;
  /** The longest time until a mail is accepted, from the connection to the last answer. */
  readonly timeoutMs: number;
}

export interface SmtpMailer extends ContactMailer, Disposable {
  /**
   * Connects and logs in.
   * @throws MailError
   */
  check(): Promise<void>;
}

export function createSmtpMailer({ server, from, to, timeoutMs }: SmtpMailerSettings): SmtpMailer {
  const transport = createSmtpTransport(server, timeoutMs);
  const stopped = new AbortController();
  let sending = 0;

  async function send({ replyTo, subject, text }: ContactMail): Promise<void> {
    if (sending >= MOST_AT_ONCE) throw new MailError(`${MOST_AT_ONCE} mails wait for the mail server`);
    sending += 1;
    try {
      await transport.sendMail({
        from: { name: "Tapedeck", address: from },
        // The library takes the envelope from the headers otherwise.
        envelope: { from, to },
        to: { name: "", address: to },
        replyTo,
        subject,
        text,
        xMailer: false,
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]),
      });
    } catch (error) {
      throw new MailError(describe(error, timeoutMs));
    } finally {
      sending -= 1;
    }
  }

  return {
    send,
    async check() {
      try {
        await transport.verify();
      } catch (error) {
        throw new MailError(describe(error, timeoutMs));
      }
    },
    [Symbol.dispose]() {
      stopped.abort();
      transport.close();
    },
  };
}

function createSmtpTransport({ host, port, encryption, login }: SmtpAddress, timeoutMs: number) {
  return createTransport({
    host,
    port,
    secure: encryption === "tls",
    requireTLS: encryption === "starttls",
    // Opportunistic security (RFC 7435): better than none, which is what a private host may offer.
    tls: { rejectUnauthorized: encryption !== "offered" },
    ...(login && { auth: { user: login.name, pass: login.password } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 0,
  });
}

/** What the library adds to its errors. */
const Failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
});

/**
 * @returns one line for the log. The answer to the mail itself is left out but for its code, because it may quote the
 *   mail.
 */
function describe(error: unknown, timeoutMs: number): string {
  const { message, code, command, response } = Failure.parse(error);
  if (code === "EABORT") return `the mail server did not accept a mail within ${timeoutMs} ms`;
  const isAboutContent = command === "DATA";
  const answer = isAboutContent ? response?.slice(0, 3) : (response ?? message);
  const where = command === undefined ? "" : `, after ${command}`;
  return `the mail server did not accept a mail: ${code ?? "no code"}${where}: ${oneLine(answer ?? "no answer")}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, MAX_ANSWER_LENGTH);
}
