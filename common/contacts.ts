/** How visitors reach the operator. Each operator sets it; the server writes it into the pages that it serves. */
import { z } from "zod";

export const Contacts = z.object({
  supportEmail: z.string(),
  /** For takedown notices of rights holders. */
  takedownEmail: z.string(),
  /** Whether the contact page has a form; otherwise it asks visitors to write to the address. */
  hasForm: z.boolean(),
});
export type Contacts = z.infer<typeof Contacts>;

/** Name of the meta element that holds them. */
export const CONTACTS_META_NAME = "contacts";

/** Placeholders in the built pages, which the server replaces. The domain is reserved and has no owner. */
export const CONTACTS_AS_BUILT: Contacts = {
  supportEmail: "support@tapedeck.example",
  takedownEmail: "takedown@tapedeck.example",
  hasForm: false,
};
