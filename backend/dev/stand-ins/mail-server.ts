/** A mail server on this machine that takes mails and keeps them. Tests only. */
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Certificate } from "./youtube-site/certificate.ts";

export interface ReceivedMail {
  /** The envelope, which says where the mail really goes. */
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they were sent, with the encoding of the transfer. */
  readonly raw: string;
  readonly isEncrypted: boolean;
}

export interface MailServerOptions {
  /** A free one by default. */
  readonly port?: number;
  /** `tls`: from the first byte; `starttls`: offered; `none`: not offered. */
  readonly encryption?: "none" | "starttls" | "tls";
  /** Needed for TLS. */
  readonly certificate?: Certificate;
  /** The login that it wants; none by default. */
  readonly login?: { readonly name: string; readonly password: string };
  /** Refuses a recipient by throwing. */
  readonly onRecipient?: (address: string) => void;
  /** Called before a mail is accepted; refuses it by throwing. */
  readonly onMail?: (mail: ReceivedMail, server: MailServer) => void | Promise<void>;
}

export class MailServer implements AsyncDisposable {
  /** Accepted mails, oldest first. */
  readonly received: ReceivedMail[] = [];
  /** Logins that were tried. */
  loginCount = 0;
  readonly #server: SMTPServer;
  readonly #sockets = new Set<Socket>();

  constructor({ encryption = "none", certificate, login, onRecipient, onMail }: MailServerOptions) {
    const options: SMTPServerOptions = {
      ...certificate,
      secure: encryption === "tls",
      disabledCommands: encryption === "starttls" ? [] : ["STARTTLS"],
      authOptional: login === undefined,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      onAuth: ({ username, password }, _session, callback) => {
        this.loginCount += 1;
        const isKnown = username === login?.name && password === login?.password;
        callback(isKnown ? null : new Error("Wrong name or password"), { user: username });
      },
      onRcptTo: ({ address }, _session, callback) => {
        settle(() => onRecipient?.(address), callback);
      },
      onData: (stream, { envelope, secure }, callback) => {
        settle(async () => {
          const mail: ReceivedMail = {
            from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            raw: await text(stream),
            isEncrypted: secure,
          };
          await onMail?.(mail, this);
          this.received.push(mail);
        }, callback);
      },
    };
    this.#server = new SMTPServer(options);
    this.#server.on("error", () => undefined);
    this.#server.server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    const listening = server.#server.listen(options.port ?? 0, "127.0.0.1");
    await once(listening, "listening");
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Resets all connections. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/** Calls the callback of the library with what the task throws, or without an error. */
function settle(task: () => unknown, callback: (error?: Error | null) => void): void {
  const settled = (async () => task())();
  void settled.then(
    () => callback(),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
  );
}
