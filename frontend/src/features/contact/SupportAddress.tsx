import { chakra } from "@chakra-ui/react";
import { pageContacts } from "../../platform/page-contacts.ts";

/** Some mail programs cut longer addresses off. */
const MAX_ADDRESS_LENGTH = 1_800;

/** @param body text that the mail begins with; left out if it is too long */
function mailAddress(body: string): string {
  const address = `mailto:${pageContacts.supportEmail}`;
  // Mail programs want CRLF (RFC 6068, section 5).
  const withBody = `${address}?body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
  return body === "" || withBody.length > MAX_ADDRESS_LENGTH ? address : withBody;
}

/** The operator's email address as a link that opens the visitor's mail program. */
export function SupportAddress({ body = "" }: { readonly body?: string }) {
  return (
    <chakra.a
      href={mailAddress(body)}
      dir="ltr"
      display="inline-flex"
      alignItems="center"
      minH="11"
      color="accent.text"
      fontWeight={600}
      textDecoration="underline"
      overflowWrap="anywhere"
      borderRadius="sm"
    >
      {pageContacts.supportEmail}
    </chakra.a>
  );
}
