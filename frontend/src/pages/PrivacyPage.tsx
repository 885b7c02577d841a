import { LegalDocument } from "../components/layout/LegalDocument.tsx";
import { TextColumn } from "../components/layout/TextColumn.tsx";
import { usePrivacyTexts } from "../texts/privacy/index.ts";
import { useTitle } from "./use-title.ts";

function Privacy() {
  return <LegalDocument prose={usePrivacyTexts()} />;
}

export function PrivacyPage() {
  useTitle("privacy");
  return (
    <TextColumn>
      <Privacy />
    </TextColumn>
  );
}
