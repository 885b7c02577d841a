/** The receipt of a job, and what opens it: one script, so that what can be pressed also opens. */
import { Box, chakra } from "@chakra-ui/react";
import type { ComponentProps } from "react";
import type { Receipt } from "../../../../common/receipt.ts";
import { totalSeconds } from "../../../../common/speed.ts";
import { Pill } from "../../components/Card.tsx";
import { Link } from "../../components/Link.tsx";
import { LANGUAGES } from "../../texts/languages.ts";
import { useSpeedTexts } from "../../texts/speed/index.ts";
import { useLanguage } from "../../texts/store.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { PartBars } from "./PartBars.tsx";

/** Below the row, so that it moves none of its buttons. */
const Place = chakra("section", {
  base: { px: { base: "3", sm: "4" }, pb: "3", fontSize: "sm", maxW: "30rem" },
});

/** Seconds with a decimal where they are few: "0.4 sec", "14 sec". */
function useSeconds(): (seconds: number) => string {
  const { locale } = LANGUAGES[useLanguage()];
  return (seconds) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit: "second",
      unitDisplay: "short",
      maximumFractionDigits: seconds < 10 ? 1 : 0,
    }).format(seconds);
}

/** Where the seconds of one job went. */
export function JobReceipt({ receipt }: { readonly receipt: Receipt }) {
  const texts = useSpeedTexts();
  const inSeconds = useSeconds();
  const total = totalSeconds(receipt);
  const parts = [
    { name: texts.parts.wait, seconds: receipt.waitSeconds },
    { name: texts.parts.site, seconds: receipt.siteSeconds },
    { name: texts.parts.line, seconds: receipt.lineSeconds },
    { name: texts.parts.ours, seconds: receipt.ourSeconds },
  ];
  return (
    <Place aria-label={texts.where}>
      <Box as="p" fontWeight={600} mb="2">
        {texts.receipt.total(inSeconds(total))}
      </Box>
      <PartBars
        parts={parts.map(({ name, seconds }) => ({
          name,
          value: inSeconds(seconds),
          fraction: total === 0 ? 0 : seconds / total,
        }))}
      />
      {receipt.promisedSeconds !== undefined && (
        <Box as="p" mt="2">
          {texts.receipt.promised(inSeconds(receipt.promisedSeconds))}
        </Box>
      )}
      <Box asChild display="inline-flex" alignItems="center" minH="11" color="accent.text" textDecoration="underline">
        <Link to="/speed">{texts.receipt.all}</Link>
      </Box>
    </Place>
  );
}

/**
 * 44 px high for fingers, most of it below the word: the picture above it plays the file. When that has ended, it comes to
 * where the line of the player was.
 */
const Press = chakra("button", {
  base: {
    position: "absolute",
    insetX: "-1",
    top: "-0.5",
    h: "11",
    borderRadius: "sm",
    cursor: "pointer",
    ...UNTOUCHED_AT_FIRST,
  },
});

interface ReadyPillProps extends ComponentProps<typeof Pill> {
  readonly word: string;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

/** Says that a file is ready, and shows the job's receipt at a press. */
export function ReadyPill({ word, isOpen, onPress, ...props }: ReadyPillProps) {
  const texts = useSpeedTexts();
  return (
    <Pill data-tone="ok" {...props} position="relative" textDecoration="underline dotted" textUnderlineOffset="2px">
      {word}
      <Press
        type="button"
        aria-expanded={isOpen}
        aria-label={`${word}: ${texts.where}`}
        data-tip={texts.where}
        onClick={onPress}
      />
    </Pill>
  );
}
