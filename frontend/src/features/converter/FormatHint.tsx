import { chakra } from "@chakra-ui/react";
import { qualityFor } from "../../../../common/tiers.ts";
import type { Format } from "../../../../common/tiers.ts";
import { useDevice } from "../../client/client.ts";
import { useFormats, useTexts } from "../../texts/store.ts";

/** The quality of the visitor's tier and of Pro: "128 kbps · Pro makes it 320". */
export function FormatHint({ format }: { format: Format }) {
  const tier = useDevice((state) => state.tier);
  const texts = useTexts().converter;
  const formats = useFormats();
  const ownQuality = qualityFor(tier, format);
  const proQuality = qualityFor("pro", format);
  return (
    <>
      <chakra.b fontWeight={600} color="fg">
        {formats.quality(ownQuality)}
      </chakra.b>
      {ownQuality !== proQuality && ` · ${texts.proMakesIt(formats.latin(proQuality.replace("kbps", "")))}`}
    </>
  );
}
