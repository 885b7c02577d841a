import { chakra } from "@chakra-ui/react";
import { chooseLanguage, currentTexts, useLanguage, useTexts } from "../../texts/store.ts";
import { LANGUAGES, isLanguage } from "../../texts/languages.ts";
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
    // The list that opens is the browser's own, on a ground of its own.
    "& option": { color: "fg", bg: "surface" },
    _focusVisible: { outline: "2px solid {colors.accent.text}", outlineOffset: "2px" },
  },
});

async function change(value: string): Promise<void> {
  if (!isLanguage(value)) return;
  try {
    await chooseLanguage(value);
  } catch (error) {
    // What a browser throws when a part of the script cannot be had.
    if (!(error instanceof TypeError)) throw error;
    notify({ kind: "error", ...currentTexts().toasts.languageFailed });
  }
}

/** Every language under its own name. */
export function LanguageSwitch() {
  const texts = useTexts();
  const language = useLanguage();
  return (
    <Select aria-label={texts.footer.language} value={language} onChange={(event) => void change(event.target.value)}>
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
