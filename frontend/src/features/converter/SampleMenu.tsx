import { Button, Menu } from "@chakra-ui/react";
import type { SampleLink } from "../../../../common/api.ts";
import { useTexts } from "../../texts/store.ts";

export interface SampleMenuProps {
  readonly links: readonly SampleLink[];
  readonly onPick: (url: string) => void;
  /** After a pick, when the menu no longer holds the focus. */
  readonly onPicked: () => void;
}

/** Links that work without looking for one. */
export default function SampleMenu({ links, onPick, onPicked }: SampleMenuProps) {
  const { trySample } = useTexts().converter;
  return (
    <Menu.Root
      onSelect={({ value }) => onPick(value)}
      onExitComplete={onPicked}
      positioning={{ placement: "bottom-end" }}
    >
      <Menu.Trigger asChild>
        <Button variant="ghost" size="sm" px={{ base: "1", sm: "2" }} animation="fadeIn 160ms">
          {trySample}
        </Button>
      </Menu.Trigger>
      {/* Within the page, of which it is a part to those who go from landmark to landmark. */}
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
  );
}
