import { chakra } from "@chakra-ui/react";
import { chooseLanguage, currentTexts, useLanguage, useTexts } from "../../texts/store.ts";
import { isLanguage } from "../../../../common/languages.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import { notify } from "../../client/toaster.ts";

const Select = chakra("select", {
  base: {
    minH: "11",
    px: "1.5",
    borderRadius: "sm",
    bg: "transparent",
    color: "inherit",
    font: "inherit",
    cursor: "pointer",
    _hover: { color: "fg" },
    // The browser's option list has its own background.
    "& option": { color: "fg", bg: "surface" },
    _focusVisible: { outline: "2px solid {colors.accent.text}", outlineOffset: "2px" },
  },
});

async function change(value: string): Promise<void> {
  if (!isLanguage(value)) return;
  try {
    await chooseLanguage(value);
  } catch (error) {
    // Browsers throw a TypeError when a dynamic import fails.
    if (!(error instanceof TypeError)) throw error;
    notify({ kind: "error", ...currentTexts().toasts.languageFailed });
  }
}

/** A select of all languages by their own names. */
export function LanguageSwitch() {
  const texts = useTexts();
  const language = useLanguage();
  return (
    <Select
      aria-label={texts.footer.language}
      // index.html stores a choice that is made before hydration; browsers must not restore an old one after a reload.
      name="language"
      autoComplete="off"
      value={language}
      onChange={(event) => void change(event.target.value)}
    >
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
