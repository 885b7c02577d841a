/** The contact addresses that the server has written into the page. */
import { CONTACTS_AS_BUILT, CONTACTS_META_NAME, Contacts } from "../../../common/contacts.ts";

function readPageContacts(): Contacts {
  // Prerendered pages contain placeholders, which the server replaces.
  if (typeof document === "undefined") return CONTACTS_AS_BUILT;
  const text = document.querySelector(`meta[name="${CONTACTS_META_NAME}"]`)?.getAttribute("content");
  return text ? Contacts.parse(JSON.parse(text)) : CONTACTS_AS_BUILT;
}

export const pageContacts: Contacts = readPageContacts();
