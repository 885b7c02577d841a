import { Box, Tabs, chakra } from "@chakra-ui/react";
import { useId, useRef } from "react";
import type { ReactNode } from "react";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { BAR_ROOM } from "../converter/ConvertBar.tsx";
import type { ChoicesTexts } from "../../texts/choices/en.ts";
import { PageLocale } from "../../texts/PageLocale.tsx";

export type ChoicesTabName = keyof ChoicesTexts["tabs"];

export interface ChoicesTab {
  readonly name: ChoicesTabName;
  /** Why nothing can be chosen there now, as a sentence; null when something can. */
  readonly reason: string | null;
  /** Null: the reason is all that there is to show. */
  readonly fields: ReactNode;
  readonly onOpen?: () => void;
}

export interface ChoicesTabsProps {
  readonly tabs: readonly ChoicesTab[];
  /** The tab that is open at first. */
  readonly first: ChoicesTabName;
}

const Tab = chakra(Tabs.Trigger, {
  base: {
    flex: "1 1 auto",
    minH: "11",
    px: { base: "1.5", sm: "4" },
    borderBottom: "2px solid transparent",
    fontSize: "sm",
    fontWeight: 600,
    color: "fg",
    cursor: "pointer",
    _hover: { bg: "surface" },
    _selected: { borderColor: "accent.text" },
    "&[data-unavailable]": { color: "fg.muted", fontWeight: 400 },
    _focusVisible: { outline: "2px solid {colors.accent.text}", outlineOffset: "-2px", borderRadius: "sm" },
  },
});

/**
 * The choices in groups, one of them shown. A tab in which nothing can be chosen is grey but can be opened: it says why,
 * and screen readers hear that with its name.
 */
export function ChoicesTabs({ tabs, first }: ChoicesTabsProps) {
  const { tabs: names } = useChoicesTexts();
  const ownId = useId();
  const root = useRef<HTMLDivElement>(null);
  /** On a phone the fields of the tab may begin below the bar at the lower edge of the window. */
  const bringIntoView = () => requestAnimationFrame(() => root.current?.scrollIntoView({ block: "nearest" }));
  const open = (tab: string) => {
    tabs.find(({ name }) => name === tab)?.onOpen?.();
    bringIntoView();
  };
  return (
    <PageLocale>
      <Tabs.Root
        ref={root}
        defaultValue={first}
        onValueChange={({ value }) => open(value)}
        scrollMarginBottom={BAR_ROOM}
      >
        <Tabs.List display="flex" flexWrap="wrap" borderBottom="1px solid {colors.border}" mb="2">
          {tabs.map(({ name, reason }) => (
            <Tab
              key={name}
              value={name}
              aria-describedby={reason === null ? undefined : `${ownId}-${name}`}
              data-tab={name}
              data-unavailable={reason === null ? undefined : ""}
            >
              {names[name]}
            </Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, reason, fields }) => (
          <Tabs.Content key={name} value={name} borderRadius="sm">
            {fields ?? (
              <Box textStyle="meta" py="3">
                {reason}
              </Box>
            )}
            <span id={`${ownId}-${name}`} hidden>
              {reason}
            </span>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </PageLocale>
  );
}
