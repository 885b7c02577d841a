import { Button, Flex, chakra } from "@chakra-ui/react";
import { useEffect, useRef } from "react";
import type { Job } from "../../../../common/job.ts";
import { letGoOfRemoval, undoRemoval } from "../../client/removals.ts";
import { useTexts } from "../../texts/store.ts";
import { ROW_HEIGHT } from "./row-height.ts";

/**
 * The place of a job that a pointer has just removed, with Undo, until the pointer leaves it: otherwise the next row's
 * Remove would come under the pointer. A finger leaves it with a tap elsewhere.
 */
export function RemovedJob({ job }: { job: Job }) {
  const frame = useRef<HTMLDivElement>(null);
  const texts = useTexts().job;
  const { id } = job;
  useEffect(() => {
    const place = frame.current;
    const letGoElsewhere = ({ target, type, pointerType }: PointerEvent) => {
      const isElsewhere = !(target instanceof Node && place?.contains(target));
      if (isElsewhere && (type === "pointerdown" || pointerType === "mouse")) letGoOfRemoval(id);
    };
    for (const type of ["pointerdown", "pointermove"] as const) document.addEventListener(type, letGoElsewhere);
    return () => {
      for (const type of ["pointerdown", "pointermove"] as const) document.removeEventListener(type, letGoElsewhere);
      // The page has been left: the offer goes on at the place of the toasts.
      if (!place?.isConnected) letGoOfRemoval(id);
    };
  }, [id]);
  return (
    <Flex ref={frame} data-removal={job.id} align="center" gap="3" minH={ROW_HEIGHT} px={{ base: "3", sm: "4" }}>
      {/* At the start of the line, where the row had no control. */}
      <Button variant="outline" size="sm" aria-label={texts.undoOf(job.title)} onClick={() => undoRemoval(job.id)}>
        {texts.undo}
      </Button>
      <chakra.span dir="auto" fontWeight={600} lineClamp={2} overflowWrap="anywhere">
        {texts.removed(job.title)}
      </chakra.span>
    </Flex>
  );
}
