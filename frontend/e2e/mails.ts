/** The mails of the contact form, which a mail server of this run takes and keeps as files. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { MailServer } from "../../backend/dev/stand-ins/mail-server.ts";

/** A message with this text is refused. */
export const REFUSED_TEXT = "please refuse this";

export async function startMailServer(folder: string): Promise<MailServer> {
  await mkdir(folder);
  return MailServer.start({
    onMail: async ({ raw }) => {
      if (raw.includes(REFUSED_TEXT)) throw new Error("refused");
      await writeFile(path.join(folder, `${randomUUID()}.eml`), raw);
    },
  });
}

/** @returns the mails that contain a text */
export async function mailsWith(folder: string, text: string): Promise<string[]> {
  const files = await readdir(folder);
  const mails = await Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8")));
  return mails.filter((mail) => mail.includes(text));
}
