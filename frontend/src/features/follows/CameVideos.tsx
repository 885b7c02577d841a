import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import type { CameVideo } from "../../../../common/follows.ts";
import { Link } from "../../components/Link.tsx";
import { useFollowTexts } from "../../texts/follows/index.ts";
import { sentenceOf, useFormats } from "../../texts/store.ts";
import { linkToRow } from "../queue/row-link.ts";

/** As many as tell how it goes; the others are behind a line. */
const SHOWN = 3;

/** What became of a video: its state, or why it failed. */
function useOutcome({ job, failure }: CameVideo): string {
  const texts = useFollowTexts();
  if (failure) return sentenceOf(failure) ?? texts.statuses.failed;
  if (!job) return texts.gone;
  return job.status === "completed" && job.downloadUrl === undefined ? texts.expired : texts.statuses[job.status];
}

const RowLink = chakra(Link, {
  base: { textDecoration: "underline", textDecorationColor: "edge", _hover: { textDecorationColor: "fg" } },
});

function Came({ video }: { readonly video: CameVideo }) {
  const texts = useFollowTexts();
  const { dateAndTime } = useFormats();
  const outcome = useOutcome(video);
  const { title, at, job, failure } = video;
  return (
    <Flex as="li" wrap="wrap" align="center" gap="2" py="1.5">
      <Box flex="1 1 11rem" minW="0" overflowWrap="anywhere">
        <Box dir="auto" _rtl={{ textAlign: "right" }}>
          {job ? <RowLink to={linkToRow(job.id)}>{title}</RowLink> : title}
        </Box>
        {failure && (
          <Box textStyle="meta" color="bad">
            {outcome}
          </Box>
        )}
        <Box textStyle="meta">
          {failure ? "" : `${outcome} · `}
          {dateAndTime(at)}
        </Box>
      </Box>
      {job?.downloadUrl !== undefined && (
        <Button asChild size="sm" variant="outline">
          <a href={job.downloadUrl} download aria-label={texts.downloadNamed(title)}>
            {texts.download}
          </a>
        </Button>
      )}
    </Flex>
  );
}

function List({ videos }: { readonly videos: readonly CameVideo[] }) {
  return (
    <chakra.ul listStyleType="none">
      {videos.map((video) => (
        <Came key={`${video.link} ${video.at}`} video={video} />
      ))}
    </chakra.ul>
  );
}

/** What came, the newest first: files, and what failed and why. */
export function CameVideos({ came }: { readonly came: readonly CameVideo[] }) {
  const texts = useFollowTexts();
  const { number } = useFormats();
  const earlier = came.slice(SHOWN);
  return (
    <Box borderTop="1px solid {colors.border}" pt="2.5">
      <chakra.h3 fontSize="sm" fontWeight={600}>
        {texts.came}
      </chakra.h3>
      {came.length === 0 && <Box textStyle="meta">{texts.nothingCame}</Box>}
      <List videos={came.slice(0, SHOWN)} />
      {earlier.length > 0 && (
        <chakra.details>
          <chakra.summary textStyle="meta" cursor="pointer" py="2.5">
            {texts.earlier(earlier.length, number(earlier.length))}
          </chakra.summary>
          <List videos={earlier} />
        </chakra.details>
      )}
    </Box>
  );
}
