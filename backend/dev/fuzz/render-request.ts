/** Turns a random request into the bytes that one visitor sends. */
import { createHmac, randomUUID } from "node:crypto";
import type { FuzzRequest } from "./arbitrary-requests.ts";
import { frameBody } from "./framing.ts";
import type { FuzzVisitor } from "./visitors.ts";

/** What requests name besides values of their visitor. */
export interface FuzzTarget {
  readonly origin: string;
  /** Link of a short video. */
  readonly link: string;
  /** Address of a list. */
  readonly list: string;
  /** Link of a host that does not answer. */
  readonly deadLink: string;
  /** Signs messages of the payment provider. */
  readonly webhookSecret: string;
  readonly metricsToken: string;
}

/** @param isLast whether no request follows on the connection */
export function renderRequest(
  { method, target, headerLines, body, framing }: FuzzRequest,
  {
    server,
    visitor,
    other,
  }: { readonly server: FuzzTarget; readonly visitor: FuzzVisitor; readonly other: FuzzVisitor },
  isLast: boolean,
): Buffer {
  const values = valuesOf(server, visitor, other);
  const bytes = typeof body === "string" ? Buffer.from(replaceNames(body, values)) : Buffer.from(body);
  const signed = { ...values, signature: signWebhook(bytes.toString("utf8"), server.webhookSecret) };
  const framed = frameBody(framing, bytes);
  const hasLength = headerLines.some((line) => /^(?:content-length|transfer-encoding):/i.test(line));
  const head = [
    `${method} ${replaceNames(target, signed)} HTTP/1.1`,
    ...headerLines.map((line) => replaceNames(line, signed)),
    ...(hasLength ? [] : framed.lines),
    ...(isLast ? ["Connection: close"] : []),
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), framed.bytes]);
}

/** @returns the value of `Stripe-Signature` for a message */
function signWebhook(payload: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex")}`;
}

function valuesOf(server: FuzzTarget, visitor: FuzzVisitor, other: FuzzVisitor): Record<string, string> {
  const { cookie } = visitor.device;
  return {
    host: new URL(server.origin).host,
    origin: server.origin,
    link: server.link,
    list: server.list,
    deadLink: server.deadLink,
    metricsToken: server.metricsToken,
    random: randomUUID(),
    cookie,
    otherCookie: other.device.cookie,
    cutCookie: cookie.slice(0, Math.ceil(cookie.length * 0.7)),
    forgedCookie: cookie.replace(/.(?=;|$)/, (last) => (last === "A" ? "B" : "A")),
    job: visitor.job,
    otherJob: other.job,
    failedJob: visitor.failedJob,
    batch: visitor.batch,
    token: visitor.token,
    webhook: visitor.webhook,
    session: visitor.session,
  };
}

function replaceNames(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name] || "none" : whole,
  );
}
