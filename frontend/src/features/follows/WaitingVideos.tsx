import { Box, chakra } from "@chakra-ui/react";
import type { WaitingVideo } from "../../../../common/follows.ts";
import { useFollowTexts } from "../../texts/follows/index.ts";
import type { FollowTexts } from "../../texts/follows/en.ts";
import { useFormats } from "../../texts/store.ts";

function waitsFor({ problem }: WaitingVideo, { waitsFor: reasons, itsTurn }: FollowTexts): string {
  return problem !== undefined && problem in reasons ? reasons[problem as keyof typeof reasons] : itsTurn;
}

/** Videos that have come and are no conversions yet, with what they wait for. */
export function WaitingVideos({ waiting }: { readonly waiting: readonly WaitingVideo[] }) {
  const texts = useFollowTexts();
  const { number } = useFormats();
  if (waiting.length === 0) return null;
  return (
    <chakra.details>
      <chakra.summary textStyle="meta" cursor="pointer" py="2.5">
        {texts.waiting(waiting.length, number(waiting.length))}
      </chakra.summary>
      <chakra.ul listStyleType="none" textStyle="meta" pb="2">
        {waiting.map((video) => (
          <Box as="li" key={video.link} py="1" overflowWrap="anywhere">
            <bdi>{video.title}</bdi> · {waitsFor(video, texts)}
          </Box>
        ))}
      </chakra.ul>
    </chakra.details>
  );
}
