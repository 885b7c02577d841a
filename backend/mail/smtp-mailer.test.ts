import { createServer, type AddressInfo, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MailServer, type MailServerOptions } from "../dev/stand-ins/mail-server.ts";
import { makeCertificate, type Certificate } from "../dev/stand-ins/youtube-site/certificate.ts";
import { MailError, type ContactMail } from "../domain/contact/contact.ts";
import type { SmtpAddress } from "./smtp-address.ts";
import { createSmtpMailer, type SmtpMailer } from "./smtp-mailer.ts";

const LOGIN = { name: "support@deck.example", password: "open sesame" };
const MAIL: ContactMail = {
  replyTo: { name: "Ada Lovelace", address: "ada@example.org" },
  subject: "Bug report: Ada Lovelace",
  text: "It hums. The secret word is xylophone.\n",
};
/** No test waits for it, unless it is about that. */
const PATIENT_MS = 60_000;

/** Its certificate is trusted by the whole test file. */
let trusted: Certificate;
const authorities = getCACertificates("default");
beforeAll(async () => {
  trusted = await makeCertificate(["localhost"]);
  setDefaultCACertificates([...authorities, trusted.cert]);
});
afterAll(() => setDefaultCACertificates(authorities));

function connect(server: Partial<SmtpAddress> & { port: number }, timeoutMs = PATIENT_MS): SmtpMailer {
  return createSmtpMailer({
    server: { host: "localhost", encryption: "offered", login: null, ...server },
    from: "tapedeck@deck.example",
    to: "help@deck.example",
    timeoutMs,
  });
}

async function failureOf(sending: Promise<void>): Promise<string> {
  const error = await sending.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(MailError);
  return (error as MailError).message;
}

/** @returns the header with its continuation lines, decoded as far as tests need it */
function header(raw: string, name: string): string | undefined {
  const [head = ""] = raw.split("\r\n\r\n");
  return new RegExp(`^${name}: ((?:.*)(?:\r\n[ \t].*)*)`, "im").exec(head)?.[1]?.replaceAll(/\r\n/g, "");
}

describe("a mail", () => {
  it("goes from the site's address to the operator's, and answers to it go to the visitor", async () => {
    await using server = await MailServer.start();
    using mailer = connect({ port: server.port });
    await mailer.send(MAIL);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: "tapedeck@deck.example", to: ["help@deck.example"] });
    const raw = mail?.raw ?? "";
    expect(header(raw, "From")).toBe("Tapedeck <tapedeck@deck.example>");
    expect(header(raw, "To")).toBe("help@deck.example");
    expect(header(raw, "Reply-To")).toBe("Ada Lovelace <ada@example.org>");
    expect(header(raw, "Subject")).toBe("Bug report: Ada Lovelace");
    expect(header(raw, "Content-Type")).toBe("text/plain; charset=utf-8");
    expect(raw).toContain("The secret word is xylophone.");
  });

  it("has no further header or recipient, whatever its parts contain", async () => {
    await using server = await MailServer.start();
    using mailer = connect({ port: server.port });
    const attack = "Ada\r\nBcc: victim@example.net\nX-Evil: 1\r\n\r\n<b>";
    await mailer.send({
      replyTo: { name: attack, address: "ada@example.org>\r\nBcc: victim@example.net" },
      subject: attack,
      text: `.\r\nMAIL FROM:<x@example.net>\r\n${attack}`,
    });
    const [mail] = server.received;
    expect(server.received).toHaveLength(1);
    expect(mail?.to).toEqual(["help@deck.example"]);
    const names = (mail?.raw ?? "").split("\r\n\r\n")[0]?.match(/^[\w-]+(?=:)/gm);
    expect(names?.map((name) => name.toLowerCase()).toSorted()).toEqual([
      "content-transfer-encoding",
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "reply-to",
      "subject",
      "to",
    ]);
  });
});

describe("the connection", () => {
  const send = async (options: MailServerOptions, address: Partial<SmtpAddress>) => {
    await using server = await MailServer.start(options);
    using mailer = connect({ port: server.port, ...address });
    await mailer.send(MAIL);
    return server.received[0]?.isEncrypted;
  };

  it("is encrypted from the start, with a login", async () => {
    const options = { encryption: "tls", certificate: trusted, login: LOGIN } as const;
    expect(await send(options, { encryption: "tls", login: LOGIN })).toBe(true);
  });

  it("is upgraded to TLS", async () => {
    const options = { encryption: "starttls", certificate: trusted, login: LOGIN } as const;
    expect(await send(options, { encryption: "starttls", login: LOGIN })).toBe(true);
  });

  it("to a private host is upgraded if that is offered, with any certificate", async () => {
    const certificate = await makeCertificate(["mail.example"]);
    expect(await send({ encryption: "starttls", certificate }, { encryption: "offered" })).toBe(true);
    expect(await send({ encryption: "none" }, { encryption: "offered" })).toBe(false);
  });

  it("is refused without TLS where TLS is needed, before the password is sent", async () => {
    await using server = await MailServer.start({ login: LOGIN });
    using mailer = connect({ port: server.port, encryption: "starttls", login: LOGIN });
    expect(await failureOf(mailer.send(MAIL))).toMatch(/ETLS/);
    expect([server.loginCount, server.received]).toEqual([0, []]);
  });

  it.each(["tls", "starttls"] as const)(
    "is refused with a certificate that nobody vouches for (%s)",
    async (encryption) => {
      await using server = await MailServer.start({ encryption, certificate: await makeCertificate(["localhost"]) });
      using mailer = connect({ port: server.port, encryption });
      expect(await failureOf(mailer.send(MAIL))).toMatch(/self-signed certificate/);
      expect(server.received).toEqual([]);
    },
  );
});

describe("a failure is told, with a reason for the log that has nothing of the mail", () => {
  it("after a wrong password, also by the check at the start", async () => {
    await using server = await MailServer.start({ login: LOGIN });
    using mailer = connect({ port: server.port, login: { ...LOGIN, password: "guess" } });
    for (const failure of [await failureOf(mailer.send(MAIL)), await failureOf(mailer.check())]) {
      expect(failure).toMatch(/^the mail server did not accept a mail: EAUTH, after AUTH PLAIN: 535 .*Wrong name/);
      expect(failure).not.toContain("guess");
    }
  });

  it("when the recipient is refused", async () => {
    const onRecipient = (address: string): never => {
      throw new Error(`No such mailbox: ${address}`);
    };
    await using server = await MailServer.start({ onRecipient });
    using mailer = connect({ port: server.port });
    expect(await failureOf(mailer.send(MAIL))).toMatch(/EENVELOPE, after RCPT TO: 550 No such mailbox: help@deck/);
  });

  it("when the mail is refused, without the answer, which may quote the mail", async () => {
    const onMail = ({ raw }: { raw: string }): never => {
      throw new Error(`Spam: ${raw.slice(-60)}`);
    };
    await using server = await MailServer.start({ onMail });
    using mailer = connect({ port: server.port });
    const failure = await failureOf(mailer.send(MAIL));
    expect(failure).toMatch(/EMESSAGE, after DATA: 450$/);
    expect(server.received).toEqual([]);
  });

  it("when the connection is reset after the mail was sent", async () => {
    let hasArrived = false;
    await using server = await MailServer.start({
      onMail: (_mail, server) => {
        hasArrived = true;
        server.reset();
        throw new Error("too late");
      },
    });
    using mailer = connect({ port: server.port });
    expect(await failureOf(mailer.send(MAIL))).toMatch(/ECONNECTION|ESOCKET/);
    expect([hasArrived, server.received]).toEqual([true, []]);
  });

  it("when nothing listens", async () => {
    // Another test may take a port that was free; nobody takes this one.
    using mailer = connect({ port: 9 });
    expect(await failureOf(mailer.send(MAIL))).toMatch(/ESOCKET, after CONN: .*ECONNREFUSED/);
    await expect(mailer.check()).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe("a mail server that does not answer", () => {
  /** Takes connections and sends what `onConnection` sends. */
  async function openSilentServer(onConnection: (write: (text: string) => void) => void): Promise<Server> {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      onConnection((text) => void (socket.writable && socket.write(text)));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return server;
  }
  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  it("is given up after the time limit, and its connection is closed", async () => {
    const server = await openSilentServer(() => undefined);
    using mailer = connect({ port: portOf(server) }, 200);
    expect(await failureOf(mailer.send(MAIL))).toMatch(/did not accept a mail within 200 ms|ETIMEDOUT/);
    // Resolves when no connection is left. On a busy machine none may have been made.
    await new Promise((closed) => server.close(closed));
  });

  it("is given up also when it sends a byte now and then", async () => {
    const timers = new Set<ReturnType<typeof setInterval>>();
    const server = await openSilentServer((write) => timers.add(setInterval(() => write("220-\r\n"), 20)));
    using mailer = connect({ port: portOf(server) }, 400);
    expect(await failureOf(mailer.send(MAIL))).toMatch(/did not accept a mail within 400 ms|ETIMEDOUT/);
    for (const timer of timers) clearInterval(timer);
    server.close();
  });

  it("keeps ten mails waiting at most, and none once the site stops", async () => {
    let connections = 0;
    const ten = Promise.withResolvers<void>();
    const server = await openSilentServer(() => void ((connections += 1) === 10 && ten.resolve()));
    const mailer = connect({ port: portOf(server) });
    const waiting = Array.from({ length: 10 }, () => failureOf(mailer.send(MAIL)));
    await ten.promise;
    expect(await failureOf(mailer.send(MAIL))).toBe("10 mails wait for the mail server");
    mailer[Symbol.dispose]();
    expect(new Set(await Promise.all(waiting))).toHaveProperty("size", 1);
    expect(connections).toBe(10);
    server.close();
  });
});
