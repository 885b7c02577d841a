import { TickedList } from "../../components/TickedList.tsx";
import { PRO_FEATURES } from "./plans.ts";

/** What Pro gives. */
export const FeatureList = () => <TickedList items={PRO_FEATURES} aria-label="Pro features" />;
