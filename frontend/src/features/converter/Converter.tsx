import { Card } from "../../components/Card.tsx";
import { useTexts } from "../../texts/store.ts";
import { BatchForm } from "./BatchForm.tsx";
import { DropArea } from "./DropArea.tsx";
import { ModeToggle, useIsBatch } from "./ModeToggle.tsx";
import { SingleForm } from "./SingleForm.tsx";
import { usePasteAnywhere, useSharedLink } from "./use-incoming.ts";

/** The form that starts conversions, at the top of the page. */
export function Converter() {
  const isBatch = useIsBatch();
  const { name } = useTexts().converter;
  usePasteAnywhere();
  useSharedLink();
  return (
    <Card id="converter" aria-label={name} p={{ base: "2.5", sm: "3.5" }}>
      <ModeToggle />
      {isBatch ? <BatchForm /> : <SingleForm />}
      <DropArea />
    </Card>
  );
}
