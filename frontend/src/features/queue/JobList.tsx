import { chakra } from "@chakra-ui/react";
import { useState } from "react";
import type { ComponentProps } from "react";
import { JobRow } from "./JobRow.tsx";
import type { JobRowProps } from "./JobRow.tsx";
import { useRows } from "./rows.ts";

interface JobListProps extends ComponentProps<typeof chakra.ul>, Pick<JobRowProps, "place"> {
  readonly jobIds: readonly string[];
}

/** A list of single jobs, with the same rows, and the same enter and leave animations, as the queue. */
export function JobList({ jobIds, place, ...list }: JobListProps) {
  const [items, setItems] = useState(() => ({ jobIds, list: jobIds.map((id) => ({ id })) }));
  if (items.jobIds !== jobIds) setItems({ jobIds, list: jobIds.map((id) => ({ id })) });
  const { rows, removeRow } = useRows(items.list);
  return (
    <chakra.ul listStyleType="none" {...list}>
      {rows.map(({ item, motion }) => (
        <JobRow key={item.id} id={item.id} motion={motion} onLeaveEnd={removeRow} place={place} />
      ))}
    </chakra.ul>
  );
}
