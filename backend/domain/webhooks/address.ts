import { UserError } from "../../../common/errors.ts";
import type { HostEntry } from "../../../common/hosts.ts";

/**
 * Checks the form of an address. Whether it is a public one is checked at each connection, because a name may lead
 * elsewhere tomorrow.
 * @param ownHosts hosts that the operator allowed; those with a port may have any scheme
 * @returns the address without its fragment, which is never sent
 * @throws UserError bad_request
 */
export function parseWebhookAddress(text: string, ownHosts: readonly HostEntry[]): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.username !== "" || url.password !== "" || !(isPublicForm(url) || isOwn(url, ownHosts)))
    throw UserError.because("bad_request", "webhook_address");
  url.hash = "";
  return url.href;
}

function isPublicForm({ protocol, port }: URL): boolean {
  return protocol === "https:" && port === "";
}

function isOwn({ hostname, port }: URL, ownHosts: readonly HostEntry[]): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return ownHosts.some((entry) => entry.host === host && entry.port === Number(port));
}
