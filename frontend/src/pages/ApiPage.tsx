import { useTexts } from "../texts/store.ts";
import { TextColumn, TextHead } from "../components/layout/TextColumn.tsx";
import { ApiDescription } from "../features/api/ApiDescription.tsx";
import { useHead } from "../platform/use-head.ts";
import { useApiTexts } from "../texts/api/index.ts";
import { useTitle } from "./use-title.ts";

function Api() {
  const { title, lead } = useApiTexts();
  return (
    <>
      <TextHead title={title} lead={lead} />
      <ApiDescription />
    </>
  );
}

export function ApiPage() {
  useTitle("API");
  useHead({ description: useTexts().description });
  return (
    <TextColumn>
      <Api />
    </TextColumn>
  );
}
