import { Pill } from "../../components/Card.tsx";
import type { PlanOffer } from "./plans.ts";

/** What speaks for a plan, a word or two each; the last, if there are two, is what it saves. */
export function PlanBadges({ offer }: { offer: PlanOffer }) {
  return offer.badges.map((badge, index) => (
    <Pill key={badge} {...(index === 0 ? { bg: "accent.soft", color: "accent.text" } : { "data-tone": "ok" })}>
      {badge}
    </Pill>
  ));
}
