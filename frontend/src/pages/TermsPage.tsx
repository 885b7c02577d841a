import { LegalDocument } from "../components/layout/LegalDocument.tsx";
import { TextColumn } from "../components/layout/TextColumn.tsx";
import { useTermsTexts } from "../texts/terms/index.ts";
import { useTitle } from "./use-title.ts";

function Terms() {
  return <LegalDocument prose={useTermsTexts()} />;
}

export function TermsPage() {
  useTitle("terms");
  return (
    <TextColumn>
      <Terms />
    </TextColumn>
  );
}
