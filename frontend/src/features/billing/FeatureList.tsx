import { TickedList } from "../../components/TickedList.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { proFeatures } from "./plans.ts";

/** The features of Pro. */
export function FeatureList() {
  const texts = useTexts();
  const formats = useFormats();
  return <TickedList items={proFeatures(texts, formats)} aria-label={texts.billing.features.name} />;
}
