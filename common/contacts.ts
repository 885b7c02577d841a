/** Whom visitors write to. Each operator's own: they are put into the pages when these are handed out. */
import { z } from "zod";

export const Contacts = z.object({
  supportEmail: z.string(),
  /** Where holders of rights write to. */
  takedownEmail: z.string(),
});
export type Contacts = z.infer<typeof Contacts>;

/** Where a page names them for its script. */
export const CONTACTS_META_NAME = "contacts";

/** What pages say as they are built: addresses that can be nobody's, and are found again in the built text. */
export const CONTACTS_AS_BUILT: Contacts = {
  supportEmail: "support@tapedeck.example",
  takedownEmail: "takedown@tapedeck.example",
};
