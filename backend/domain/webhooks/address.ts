import { UserError } from "../../../common/errors.ts";
import type { HostEntry } from "../../../common/hosts.ts";

/**
 * Checks the form of an address. Whether it is a public one is checked at each connection, because a name may lead
 * elsewhere tomorrow.
 * @param privateHosts see `Domain`; their addresses may have any scheme
 * @returns the address without its fragment, which is never sent
 * @throws UserError bad_request
 */
export function parseWebhookAddress(text: string, privateHosts: readonly HostEntry[] = []): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  const isAllowed = url !== null && (isPublicForm(url) || privateHostOf(url, privateHosts) !== undefined);
  if (!isAllowed || !isWeb || url.username !== "" || url.password !== "")
    throw UserError.because("bad_request", "webhook_address");
  url.hash = "";
  return url.href;
}

function isPublicForm({ protocol, port }: URL): boolean {
  return protocol === "https:" && port === "";
}

/** @returns the entry of the list that an address is of */
export function privateHostOf({ hostname, port }: URL, hosts: readonly HostEntry[]): HostEntry | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return hosts.find((entry) => entry.host === host && entry.port === Number(port));
}
