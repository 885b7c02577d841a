import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useState } from "react";
import type { ReactNode } from "react";
import type { FileLink, LinkLasts } from "../../../../common/file-link-calls.ts";
import type { Job } from "../../../../common/job.ts";
import { CopyField } from "../../components/CopyField.tsx";
import { Segments } from "../../components/Segments.tsx";
import { Sheet } from "../../components/Sheet.tsx";
import { isOnlyHere } from "../../platform/only-here.ts";
import { usePhoneTexts } from "../../texts/phone/index.ts";
import { useFormats } from "../../texts/store.ts";
import { useAtTime } from "../queue/clock.ts";
import { LinkCode } from "./LinkCode.tsx";
import { ShareButton } from "./ShareButton.tsx";
import { useFileLink } from "./use-file-link.ts";

const LASTS: readonly LinkLasts[] = ["once", "ten_minutes"];

/** As large in every state, so that nothing below it moves. */
const CodePlace = chakra("div", {
  base: {
    boxSize: "13rem",
    maxW: "full",
    mx: "auto",
    display: "grid",
    placeItems: "center",
    alignContent: "center",
    gap: "2",
    textAlign: "center",
    borderRadius: "md",
    "&:not(:has(svg))": { bg: "bg.sunken", p: "3" },
  },
});

/** How long the link works, and how often it was opened. */
function LinkWords({ link, isOver }: { readonly link: FileLink; readonly isOver: boolean }) {
  const texts = usePhoneTexts();
  const formats = useFormats();
  const left = useAtTime((nowMs) => formats.timeLeft(Math.max(1, (Date.parse(link.endsAt) - nowMs) / 1_000)));
  const end = link.lasts === "once" && link.opened > 0 ? texts.used : texts.ended;
  const rest = link.lasts === "once" ? texts.worksOnce : left;
  return (
    <Box role="status" flex="1" textStyle="meta" minW="0">
      <div>{isOver ? end : rest}</div>
      {link.opened > 0 && <div>{texts.opened(link.opened)}</div>}
    </Box>
  );
}

export interface PhoneSheetProps {
  readonly job: Job;
  readonly onClose: () => void;
}

/** Gives the file of a job to another device: a link as a QR code and as text, and the share menu where there is one. */
export default function PhoneSheet({ job, onClose }: PhoneSheetProps) {
  const texts = usePhoneTexts();
  const { state, isOver, open, make, revoke } = useFileLink(job.id);
  const [lasts, setLasts] = useState<LinkLasts>("once");
  const link = state.is === "there" ? state.link : null;
  // The clock, too, ends a link.
  const isEnded = useAtTime(() => link !== null && isOver(link));
  const address = state.is === "there" && !isEnded ? state.address : null;
  const shownLasts = link?.lasts ?? lasts;

  function choose(wanted: LinkLasts): void {
    setLasts(wanted);
    void make(wanted);
  }

  const another = (
    <Button variant="outline" onClick={() => void make(shownLasts)}>
      {texts.another}
    </Button>
  );

  function codePlace(): ReactNode {
    if (address !== null) return <LinkCode text={address} label={texts.code} />;
    if (state.is === "loading") return <span role="status">{texts.loading}</span>;
    if (state.is === "failed")
      return (
        <>
          <span role="alert">{texts.failed}</span>
          <Button variant="outline" onClick={() => void open()}>
            {texts.again}
          </Button>
        </>
      );
    if (state.is === "revoked")
      return (
        <>
          <span role="status">{texts.revoked}</span>
          {another}
        </>
      );
    return (
      <>
        {!isEnded && texts.elsewhere}
        {another}
      </>
    );
  }

  return (
    <Sheet title={texts.toPhone} about={job.title} closeLabel={texts.close} onClose={onClose}>
      <Segments label={texts.lasts} values={LASTS} value={shownLasts} onChange={choose} isWide>
        {(value) => (value === "once" ? texts.once : texts.tenMinutes)}
      </Segments>
      <CodePlace>{codePlace()}</CodePlace>
      <Box textStyle="meta" textAlign="center">
        {isOnlyHere(window.location.hostname) ? texts.onlyHere : texts.scan}
      </Box>
      <Box visibility={address === null ? "hidden" : "visible"}>
        <CopyField value={address ?? ""} label={texts.address} copyWord={texts.copy} copiedWord={texts.copied} />
      </Box>
      <Flex align="center" gap="2" minH="11">
        {link && <LinkWords link={link} isOver={isEnded} />}
        {link && !isEnded && (
          <Button variant="ghost" size="sm" onClick={() => void revoke()}>
            {texts.revoke}
          </Button>
        )}
        <ShareButton job={job} />
      </Flex>
    </Sheet>
  );
}
