/** How visitors reach the operator, as the server has written it into the page. */
import { CONTACTS_AS_BUILT, CONTACTS_META_NAME, Contacts } from "../../../common/contacts.ts";

/** What prerendered pages contain: placeholders, which the server replaces. The contact page is built with both forms. */
export const prerenderedContacts: Contacts = { ...CONTACTS_AS_BUILT };

function readPageContacts(): Contacts {
  if (typeof document === "undefined") return prerenderedContacts;
  const text = document.querySelector(`meta[name="${CONTACTS_META_NAME}"]`)?.getAttribute("content");
  return text ? Contacts.parse(JSON.parse(text)) : CONTACTS_AS_BUILT;
}

export const pageContacts: Contacts = readPageContacts();
