import { chakra } from "@chakra-ui/react";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Job } from "../../../../common/job.ts";
import { savesData } from "../../platform/data-saver.ts";
import { useFormats } from "../../texts/store.ts";

const Frame = chakra("div", {
  base: {
    position: "relative",
    aspectRatio: "16 / 9",
    borderRadius: "sm",
    overflow: "hidden",
    bg: "track",
    color: "fg.muted",
    display: "grid",
    placeItems: "center",
  },
});

const Reels = chakra("svg", {
  base: {
    w: "2.5rem",
    h: "1.125rem",
    fill: "none",
    stroke: "currentColor",
    opacity: 0.5,
    "&[data-aside]": {
      w: "2rem",
      h: "0.875rem",
      placeSelf: "start",
      mt: { base: "0.5", sm: "2" },
      ms: { base: "0.5", sm: "2" },
    },
  },
});

export interface ThumbnailProps {
  readonly job: Pick<Job, "thumbnailUrl" | "durationSeconds">;
  /** In the place of the length. */
  readonly children?: ReactNode;
}

/** The video's picture with its length, or two reels without a picture. */
export function Thumbnail({ job, children }: ThumbnailProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const { thumbnailUrl, durationSeconds } = job;
  const formats = useFormats();
  return (
    <Frame>
      {thumbnailUrl && thumbnailUrl !== brokenUrl && !savesData() ? (
        <chakra.img
          src={thumbnailUrl}
          alt=""
          loading="lazy"
          position="absolute"
          inset="0"
          w="full"
          h="full"
          objectFit="cover"
          animation="fadeIn 240ms"
          onError={() => setBrokenUrl(thumbnailUrl)}
        />
      ) : (
        // Moved aside for the length in the lower corner.
        <Reels viewBox="0 0 40 18" data-aside={durationSeconds !== undefined || undefined} aria-hidden="true">
          <circle cx="11" cy="9" r="5.5" strokeWidth="2" />
          <circle cx="29" cy="9" r="5.5" strokeWidth="2" />
          <path d="M11 15h18" strokeWidth="1.5" />
        </Reels>
      )}
      {durationSeconds !== undefined && (
        <chakra.span
          position="absolute"
          insetEnd="1"
          bottom="1"
          px="1"
          py="0.5"
          borderRadius="xs"
          bg="rgb(0 0 0 / 72%)"
          color="white"
          fontSize="2xs"
          fontWeight={600}
          lineHeight={1.1}
          fontVariantNumeric="tabular-nums"
        >
          {children ?? formats.clock(durationSeconds)}
        </chakra.span>
      )}
    </Frame>
  );
}
