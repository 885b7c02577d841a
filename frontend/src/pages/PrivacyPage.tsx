import { LegalDocument } from "../components/layout/LegalDocument.tsx";
import { TextColumn } from "../components/layout/TextColumn.tsx";
import { usePrivacyTexts } from "../texts/privacy/index.ts";
import { useTitle } from "./use-title.ts";

function Privacy() {
  const prose = usePrivacyTexts();
  useTitle(prose.texts.title);
  return <LegalDocument prose={prose} />;
}

export function PrivacyPage() {
  return (
    <TextColumn>
      <Privacy />
    </TextColumn>
  );
}
