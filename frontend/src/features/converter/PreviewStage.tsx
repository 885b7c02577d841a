import { Box, chakra } from "@chakra-ui/react";
import { Suspense, lazy, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useAnnouncement } from "../../client/announcer.ts";
import { useConverter, usePreview } from "../../client/converter.ts";
import { useConnection } from "../../client/stores.ts";
import { problemSentence } from "../../stores/converter.ts";
import { namesList } from "../../stores/links.ts";
import type { PreviewView } from "../../stores/preview.ts";
import { withRefusal } from "../../stores/refusal.ts";
import { sentenceOf, useFormats, useTexts } from "../../texts/store.ts";
import type { Texts } from "../../texts/en.ts";
import type { Formats } from "../../texts/format.ts";
import { NARROW } from "../../theme/narrow.ts";
import { Thumbnail } from "../queue/Thumbnail.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";

// Begins to load with the preview's request, and is there before its answer.
const loadPreviewedVideo = () => import("./PreviewedVideo.tsx");
const PreviewedVideo = lazy(loadPreviewedVideo);
const ListPicker = lazy(() => import("../lists/ListPicker.tsx"));
const ListLine = lazy(() => import("../lists/ListLine.tsx"));

const Stage = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "72px minmax(0, 1fr)", sm: "6rem minmax(0, 1fr)" },
    columnGap: { base: "3", sm: "4" },
    alignItems: "center",
    minH: "inherit",
    px: { base: "1", sm: "1.5" },
    pt: "2",
  },
});

const EMPTY_PICTURE = {};

/** Of each error in this place. */
const BAD = { color: "bad", fontWeight: 600 } as const;

function StageMessage({ isBad = false, id, children }: { isBad?: boolean; id?: string; children: ReactNode }) {
  return (
    <>
      <Box opacity={isBad ? 1 : 0.7}>
        <Thumbnail job={EMPTY_PICTURE} />
      </Box>
      <Box
        id={id}
        textStyle="meta"
        {...(isBad && BAD)}
        lineClamp={{ base: 4, sm: 3 }}
        css={{ [NARROW]: { lineClamp: "none" } }}
        textWrap="pretty"
      >
        {children}
      </Box>
    </>
  );
}

function Loading() {
  const { loading } = useTexts().converter.preview;
  useEffect(() => {
    // A failure is reported where the component is needed.
    loadPreviewedVideo().catch(() => undefined);
  }, []);
  return (
    <>
      <Skeleton aspectRatio="16 / 9" />
      <Box aria-busy="true" aria-label={loading} role="img">
        <Skeleton h="4" maxW="20rem" mb="2.5" />
        <Skeleton h="3" maxW="12rem" />
      </Box>
    </>
  );
}

const isList = (view: PreviewView): boolean => view.phase === "failed" && view.error?.code === "playlist";

/** @returns the text for screen readers */
function screenReaderText(view: PreviewView, texts: Texts["converter"]["preview"], formats: Formats): string {
  if (isList(view)) return "";
  if (view.phase === "failed") return view.error ? sentenceOf(view.error) : texts.failed;
  if (view.phase !== "ready") return "";
  const { title, durationSeconds } = view.preview;
  return durationSeconds === null ? title : texts.announce(title, formats.spokenLength(durationSeconds));
}

/** Whether the visitor chooses from the list that the link of a video names beside it. */
function useListOfLink() {
  const link = useConverter((state) => state.link.trim());
  // Read anew with each view: a preview waits for the reader of damaged links.
  const isNamed = namesList(link);
  const [openedLink, setOpenedLink] = useState<string | null>(null);
  const isOpen = isNamed && openedLink === link;
  return { isNamed, isOpen, toggle: () => setOpenedLink(isOpen ? null : link) };
}

/**
 * The preview of the link, below the field.
 * @param problemId of the element that says what is wrong with the link
 */
export function PreviewStage({ problemId }: { problemId: string }) {
  const problem = useConverter((state) => state.problem);
  const view = withRefusal(
    usePreview((state) => state.view),
    problem,
  );
  const list = useListOfLink();
  const isOffline = useConnection((state) => state.indicator === "offline");
  // The server's own answer is shown offline too.
  const isAway = isOffline && (view.phase === "loading" || (view.phase === "failed" && view.error === null));
  const isListShown = isList(view) || list.isOpen;
  const allTexts = useTexts();
  const { converter, network } = allTexts;
  const texts = converter.preview;
  const formats = useFormats();
  const isProblemShown = problem !== null && view.phase !== "ready" && !isListShown;
  const isViewShown = !isProblemShown && !isListShown && !isAway;
  const announcement = isAway ? network.preview : screenReaderText(view, texts, formats);
  // A problem has been said with its notice.
  useAnnouncement("preview", isProblemShown ? "" : announcement);
  return (
    <Stage role="group" aria-label={texts.name} data-preview={isListShown ? "list" : view.phase}>
      {isProblemShown && (
        <StageMessage isBad id={problemId}>
          {problemSentence(problem, allTexts)}
        </StageMessage>
      )}
      {isAway && !isProblemShown && <StageMessage>{announcement}</StageMessage>}
      {isViewShown && view.phase === "none" && <StageMessage>{texts.hint}</StageMessage>}
      {isViewShown && view.phase === "loading" && <Loading />}
      {isViewShown && view.phase === "ready" && (
        <Suspense fallback={<Loading />}>
          <PreviewedVideo preview={view.preview} problemId={problemId} />
        </Suspense>
      )}
      {isViewShown && view.phase === "failed" && (
        <StageMessage isBad={view.error !== null}>{announcement}</StageMessage>
      )}
      {list.isNamed && !isList(view) && view.phase !== "none" && (
        <Box gridColumn="1 / -1" minH="11">
          <Suspense>
            <ListLine isOpen={list.isOpen} onToggle={list.toggle} />
          </Suspense>
        </Box>
      )}
      {isListShown && (
        <Suspense fallback={<Loading />}>
          <ListPicker />
        </Suspense>
      )}
    </Stage>
  );
}
