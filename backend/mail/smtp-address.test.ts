import { expect, it } from "vitest";
import { parseSmtpAddress } from "./smtp-address.ts";

it.each([
  ["smtps://mail.example", { host: "mail.example", port: 465, encryption: "tls", login: null }],
  ["smtp://mail.example/", { host: "mail.example", port: 587, encryption: "starttls", login: null }],
  [
    "smtp://support%40deck.example:p%2Fa%3As%23s@mail.example:2525",
    {
      host: "mail.example",
      port: 2525,
      encryption: "starttls",
      login: { name: "support@deck.example", password: "p/a:s#s" },
    },
  ],
  ["smtps://me:secret@[2001:db8::1]:465", { host: "2001:db8::1", port: 465, encryption: "tls" }],
])("reads %s", (text, address) => expect(parseSmtpAddress(text)).toMatchObject(address));

it.each(["localhost", "mail", "mail.internal", "127.0.0.1", "10.1.2.3", "192.168.0.9", "[::1]", "[fd00::1]"])(
  "does not insist on TLS within a network of one's own: %s",
  (host) => {
    expect(parseSmtpAddress(`smtp://${host}:25`).encryption).toBe("offered");
    expect(parseSmtpAddress(`smtps://${host}`).encryption).toBe("tls");
  },
);

it.each(["mail.example", "8.8.8.8", "[2606:4700::1]", "mail.internal.example"])(
  "insists on TLS across the internet: %s",
  (host) => {
    expect(parseSmtpAddress(`smtp://${host}:25`).encryption).toBe("starttls");
  },
);

it.each([
  "mail.example:465",
  "https://mail.example",
  "smtp://",
  "smtps://mail.example:99999",
  "smtps://two words",
  "smtps://me:pass/word@mail.example",
  "smtps://me:pass#word@mail.example",
  "smtps://me@mail.example",
  "smtps://:secret@mail.example",
  "smtps://me:100%@mail.example",
  "smtps://mail.example/inbox",
  "smtps://mail.example?pool=true",
  "smtps://mail_server.example",
])("refuses %s", (text) => expect(() => parseSmtpAddress(text)).toThrow(RangeError));
