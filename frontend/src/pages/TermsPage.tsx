import { LegalDocument } from "../components/layout/LegalDocument.tsx";
import { TextColumn } from "../components/layout/TextColumn.tsx";
import { useTermsTexts } from "../texts/terms/index.ts";
import { useTitle } from "./use-title.ts";

function Terms() {
  const prose = useTermsTexts();
  useTitle(prose.texts.title);
  return <LegalDocument prose={prose} />;
}

export function TermsPage() {
  return (
    <TextColumn>
      <Terms />
    </TextColumn>
  );
}
