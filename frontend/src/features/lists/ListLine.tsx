import { Box, Button, Flex } from "@chakra-ui/react";
import { useListTexts } from "../../texts/lists/index.ts";

export interface ListLineProps {
  /** Whether the list is shown in the place of the video. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Below a video whose link names a list too: the link may be meant for either. */
export default function ListLine({ isOpen, onToggle }: ListLineProps) {
  const texts = useListTexts();
  return (
    <Flex wrap="wrap" align="center" columnGap="1">
      <Box textStyle="meta">{texts.inList}</Box>
      <Button variant="ghost" size="sm" color="accent.text" onClick={onToggle}>
        {isOpen ? texts.onlyVideo : texts.chooseFromList}
      </Button>
    </Flex>
  );
}
