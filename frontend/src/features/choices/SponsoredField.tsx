import { Box } from "@chakra-ui/react";
import { useId } from "react";
import { SponsoredChoice } from "../../../../common/choices.ts";
import type { SponsoredFound } from "../../../../common/preview-details.ts";
import { useChoices } from "../../client/stores.ts";
import { useConverter } from "../../client/converter.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { useFormats } from "../../texts/store.ts";
import { Section } from "./Section.tsx";

/**
 * What is done with sponsored segments, for videos that have some. Nothing can be cut out of a copied sound.
 * @param found null for several videos
 */
export function SponsoredField({ found }: { readonly found: SponsoredFound | null }) {
  const chosen = useChoices((state) => state.choices?.sponsored);
  const choose = useChoices((state) => state.choose);
  const isOriginal = useConverter((state) => state.format === "original");
  const texts = useChoicesTexts().sponsored;
  const formats = useFormats();
  const remarkId = useId();

  function change(value: string): void {
    const sponsored = value === "" ? undefined : SponsoredChoice.parse(value);
    choose(sponsored === "cut" ? { sponsored, chapterFiles: undefined } : { sponsored });
  }

  return (
    <Section title={texts.title}>
      <Input
        as="select"
        aria-label={texts.title}
        aria-describedby={remarkId}
        value={isOriginal && chosen === "cut" ? "" : (chosen ?? "")}
        onChange={({ currentTarget: { value } }) => change(value)}
      >
        <option value="">{texts.keep}</option>
        <option value="mark">{texts.mark}</option>
        <option value="cut" disabled={isOriginal}>
          {texts.cut}
        </option>
      </Input>
      <Box id={remarkId} textStyle="meta" mt="1">
        <Box>{found ? texts.found(found.count, formats.clock(found.seconds)) : texts.ofMany}</Box>
        {isOriginal && <Box>{texts.notOriginal}</Box>}
      </Box>
    </Section>
  );
}
