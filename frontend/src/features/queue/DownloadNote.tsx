import { Box, Flex, chakra } from "@chakra-ui/react";
import { Suspense, useState } from "react";
import type { Job } from "../../../../common/job.ts";
import { fileLinkApi } from "../../api/file-link-api.ts";
import { isFailedCall } from "../../api/errors.ts";
import { useDownloadNotes } from "../../client/download-notes.ts";
import { ownLinks } from "../../client/stores.ts";
import { Input } from "../../components/Input.tsx";
import { intentLink } from "../../platform/saving-app.ts";
import type { Sharing } from "../../stores/download-notes.ts";
import { useDownloadTexts } from "../../texts/downloads/index.ts";
import type { DownloadTexts } from "../../texts/downloads/en.ts";
import { useFormats } from "../../texts/store.ts";
import type { Formats } from "../../texts/format.ts";
import { Way } from "./Way.tsx";

/** Below the row's first line, so that it moves no button; as high for each sentence of the share menu. */
const Note = chakra("div", {
  base: { gridColumn: "1 / -1", gridRow: 3, pt: "1", minH: "2.75rem", fontSize: "sm", color: "fg.muted" },
});

/** The home page with the link and format of the job: the same request gets the same file. */
function homeWith(job: Job | undefined): string {
  const { origin } = window.location;
  const text = job && ownLinks.of(job.id);
  if (!job || text === undefined) return `${origin}/`;
  return `${origin}/?${String(new URLSearchParams({ text, format: job.format }))}`;
}

/** @returns what the browser opens: a link to the job's file; where none can be had, the home page */
async function addressFor(job: Job | undefined): Promise<string> {
  if (job?.status !== "completed") return homeWith(job);
  try {
    return window.location.origin + (await fileLinkApi.create(job.id, "ten_minutes")).url;
  } catch (error) {
    if (isFailedCall(error)) return homeWith(job);
    throw error;
  }
}

/** Through an element: apps look at presses of links. */
async function openInBrowser(job: Job | undefined): Promise<void> {
  const link = document.createElement("a");
  link.href = intentLink(await addressFor(job));
  link.click();
}

/** Opens the visitor's browser on Android; elsewhere an app cannot do that, and the address is copied. */
function WaysToBrowser({ job, isAndroid }: { job: Job | undefined; isAndroid: boolean }) {
  const texts = useDownloadTexts();
  const [copy, setCopy] = useState<"copied" | "refused" | null>(null);
  const [address, setAddress] = useState("");

  async function copyAddress(): Promise<void> {
    const made = await addressFor(job);
    setAddress(made);
    // Some apps have no clipboard for pages.
    const copying = navigator.clipboard?.writeText(made) ?? Promise.reject(new Error("no clipboard"));
    setCopy(
      await copying.then(
        () => "copied",
        () => "refused",
      ),
    );
  }

  return (
    <Flex wrap="wrap" columnGap="4">
      {isAndroid && (
        <Way asChild>
          <button type="button" onClick={() => void openInBrowser(job)}>
            {texts.open}
          </button>
        </Way>
      )}
      {copy === "refused" ? (
        <Input
          readOnly
          value={address}
          aria-label={texts.address}
          dir="ltr"
          onFocus={(event) => event.target.select()}
        />
      ) : (
        <Way asChild>
          <button type="button" onClick={() => void copyAddress()}>
            {copy === "copied" ? texts.copied : texts.copy}
          </button>
        </Way>
      )}
      <Box role="status" srOnly>
        {copy === "copied" && texts.copied}
      </Box>
    </Flex>
  );
}

function sharingWords(sharing: Sharing | undefined, texts: DownloadTexts, formats: Formats): string {
  if (!sharing) return texts.share;
  if (sharing.state !== "loading") return texts[sharing.state];
  return sharing.percent === null ? texts.loading : texts.loadingTo(formats.percent(sharing.percent));
}

/** In an installed iPhone app: how far a file is on its way to the share menu. Elsewhere nothing. */
export function SharingNote({ url, job }: { url: string; job?: Job | undefined }) {
  const texts = useDownloadTexts();
  const formats = useFormats();
  const app = useDownloadNotes((state) => state.app);
  const sharing = useDownloadNotes((state) => state.sharings[url]);
  if (app?.kind !== "installed") return null;
  const isStuck = sharing?.state === "tooLarge" || sharing?.state === "unsupported";
  return (
    <Note>
      <span role="status">{sharingWords(sharing, texts, formats)}</span>
      {isStuck && <WaysToBrowser job={job} isAndroid={app.isAndroid} />}
    </Note>
  );
}

/** What helps to save the file of a job, where a link to it does not, or not yet. */
export function DownloadNote({ job }: { job: Job }) {
  return (
    <Suspense>
      <JobNote job={job} />
    </Suspense>
  );
}

function JobNote({ job }: { job: Job }) {
  const texts = useDownloadTexts();
  const url = "downloadUrl" in job ? job.downloadUrl : undefined;
  const app = useDownloadNotes((state) => state.app);
  const isWaiting = useDownloadNotes((state) => url !== undefined && state.waiting.has(url));
  if (url === undefined) return null;
  if (isWaiting)
    return (
      <Note>
        <span role="status">{texts.waits}</span>
      </Note>
    );
  if (app?.kind !== "inside") return <SharingNote url={url} job={job} />;
  return (
    job.status === "completed" && (
      <Note>
        <Box>{texts.inside}</Box>
        <WaysToBrowser job={job} isAndroid={app.isAndroid} />
      </Note>
    )
  );
}
