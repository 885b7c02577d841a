import { chakra } from "@chakra-ui/react";
import { qualityFor } from "../../../../common/tiers.ts";
import type { Format } from "../../../../common/tiers.ts";
import { useDevice } from "../../client/stores.ts";
import { Pill } from "../../components/Card.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";

/** The quality of the visitor's tier and what Pro makes of it: "128 kbps · Pro makes it 320"; for Pro its badge. */
export function FormatHint({ format }: { format: Format }) {
  const tier = useDevice((state) => state.tier);
  const texts = useTexts().converter;
  const formats = useFormats();
  const ownQuality = qualityFor(tier, format);
  const proQuality = qualityFor("pro", format);
  return (
    <>
      <chakra.b fontWeight={600} color="fg">
        {format === "mp3" || format === "mp4" ? formats.quality(ownQuality) : formats.formatName(format)}
      </chakra.b>
      {tier === "pro" && (
        <>
          {" "}
          <Pill data-tone="ok" whiteSpace="nowrap">
            {texts.fast}
          </Pill>
        </>
      )}
      {ownQuality !== proQuality && ` · ${texts.proMakesIt(formats.latin(proQuality.replace("kbps", "")))}`}
    </>
  );
}
