import { Button } from "@chakra-ui/react";
import { useChoices } from "../../client/stores.ts";
import { useConverter } from "../../client/converter.ts";
import { FoldIcon } from "../../components/icons.tsx";
import { isOffered } from "../../stores/offered-formats.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";

/** Id of the element that the button opens and closes. */
export const CHOICES_ID = "choices";

/** Opens and closes what may be chosen for the video in the field. */
export default function ChoicesButton() {
  const isOpen = useChoices((state) => state.isOpen);
  const hasChoices = useChoices((state) => state.choices !== undefined);
  const format = useConverter((state) => state.format);
  const isOfOthers = !isOffered(format);
  const setOpen = useChoices((state) => state.setOpen);
  const { button } = useChoicesTexts();
  return (
    <Button
      variant={hasChoices || isOfOthers ? "outline" : "ghost"}
      size="sm"
      px={{ base: "1", sm: "2" }}
      animation="fadeIn 160ms"
      aria-expanded={isOpen}
      aria-controls={isOpen ? CHOICES_ID : undefined}
      onClick={() => setOpen(!isOpen)}
      css={{ "& svg": { transform: isOpen ? "rotate(-90deg)" : "rotate(90deg)" } }}
    >
      {button}
      <FoldIcon />
    </Button>
  );
}
