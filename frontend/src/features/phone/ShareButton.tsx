import { Box, Button } from "@chakra-ui/react";
import { useState } from "react";
import { contentTypeOf, endingOf } from "../../../../common/file-types.ts";
import type { Job } from "../../../../common/job.ts";
import { downloadNotes, useDownloadNotes } from "../../client/download-notes.ts";
import { createFileSharing, MAX_SHARED_BYTES, sharerOf } from "../../ready/share-file.ts";
import { usePhoneTexts } from "../../texts/phone/index.ts";

/** Whether the browser shares such files, and the job's file is not too large for its memory. */
function isShareable(job: Job): boolean {
  if (job.status !== "completed" || job.fileSize > MAX_SHARED_BYTES) return false;
  const likeIt = new File(["a"], `a.${endingOf(job)}`, { type: contentTypeOf(job) });
  return navigator.canShare?.({ files: [likeIt] }) ?? false;
}

/** Hands the file itself to the share menu of the phone; nothing where there is none. */
export function ShareButton({ job }: { readonly job: Job }) {
  const texts = usePhoneTexts();
  const url = job.status === "completed" ? job.downloadUrl : undefined;
  const sharing = useDownloadNotes((state) => (url === undefined ? undefined : state.sharings[url]));
  const [share] = useState(() => createFileSharing(downloadNotes, sharerOf(window)));
  if (url === undefined || !isShareable(job)) return null;
  const words = { loading: texts.sharing, ready: texts.shareAgain };
  return (
    <>
      {sharing && (
        <Box role="status" textStyle="meta">
          {sharing.state === "loading" || sharing.state === "ready" ? words[sharing.state] : texts.notShared}
        </Box>
      )}
      <Button
        variant="outline"
        size="sm"
        ms="auto"
        disabled={sharing?.state === "loading"}
        onClick={() => void share(url)}
      >
        {texts.share}
      </Button>
    </>
  );
}
