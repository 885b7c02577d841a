import { useChoices } from "../../client/stores.ts";
import { Input } from "../../components/Input.tsx";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { Section } from "./Section.tsx";
import { useLanguageNames } from "./use-language-names.ts";

/** The language of the sound, for videos that have several. */
export function SoundField({ languages }: { readonly languages: readonly string[] }) {
  const chosen = useChoices((state) => state.choices?.soundLanguage);
  const choose = useChoices((state) => state.choose);
  const texts = useChoicesTexts().sound;
  const nameOf = useLanguageNames();
  const [original = "", ...others] = languages;
  return (
    <Section title={texts.title}>
      <Input
        as="select"
        aria-label={texts.title}
        value={chosen ?? ""}
        onChange={({ currentTarget: { value } }) => choose({ soundLanguage: value || undefined })}
      >
        <option value="">{texts.original(nameOf(original))}</option>
        {others.map((code) => (
          <option key={code} value={code}>
            {nameOf(code)}
          </option>
        ))}
      </Input>
    </Section>
  );
}
