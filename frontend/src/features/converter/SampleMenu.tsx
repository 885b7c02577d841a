import { Button, Menu } from "@chakra-ui/react";
import type { SampleLink } from "../../../../common/api.ts";
import { PageLocale } from "../../texts/PageLocale.tsx";
import { useTexts } from "../../texts/store.ts";

export interface SampleMenuProps {
  readonly isHidden: boolean;
  readonly links: readonly SampleLink[];
  readonly onPick: (url: string) => void;
  /** Called after a pick, when the menu has released the focus. */
  readonly onPicked: () => void;
}

/** A menu of sample links for development. */
export default function SampleMenu({ isHidden, links, onPick, onPicked }: SampleMenuProps) {
  const { trySample } = useTexts().converter;
  return (
    <PageLocale>
      <Menu.Root
        onSelect={({ value }) => onPick(value)}
        onExitComplete={onPicked}
        positioning={{ placement: "bottom-end" }}
      >
        <Menu.Trigger asChild>
          <Button variant="ghost" size="sm" px={{ base: "1", sm: "2" }} hidden={isHidden} animation="fadeIn 160ms">
            {trySample}
          </Button>
        </Menu.Trigger>
        {/* No portal, so that the menu is inside the page's landmark for screen readers. */}
        <Menu.Positioner>
          <Menu.Content>
            {links.map(({ label, url }) => (
              <Menu.Item key={url} value={url}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Menu.Root>
    </PageLocale>
  );
}
