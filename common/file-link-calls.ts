/** Schemas of the calls about links that open the file of a job on another device. */
import { z } from "zod";

/** How long such a link works: for one opening, or for ten minutes. */
export const LinkLasts = z.enum(["once", "ten_minutes"]);
export type LinkLasts = z.infer<typeof LinkLasts>;

/** POST /api/conversions/:id/link. */
export const CreateFileLink = z.object({ lasts: LinkLasts });
export type CreateFileLink = z.infer<typeof CreateFileLink>;

/** A link without its key. */
export const FileLink = z.object({
  lasts: LinkLasts,
  createdAt: z.iso.datetime(),
  /** When it stops working, at the latest. */
  endsAt: z.iso.datetime(),
  /** How often it was opened to download the file. */
  opened: z.int().min(0),
});
export type FileLink = z.infer<typeof FileLink>;

/** Response of POST /api/conversions/:id/link: the only answer with the address, as a path of this site. */
export const CreatedFileLink = FileLink.extend({ url: z.string() });
export type CreatedFileLink = z.infer<typeof CreatedFileLink>;

/** Response of GET /api/conversions/:id/link. */
export const FileLinkState = z.object({ link: FileLink.nullable() });
export type FileLinkState = z.infer<typeof FileLinkState>;

/** The path of the page that a link opens. */
export const FILE_LINK_PATH = "/get";
