import { memo } from "react";
import type { ListEntry } from "../../../../common/lists.ts";
import { useFormats } from "../../texts/store.ts";

export interface EntryRowProps {
  readonly id: string;
  readonly index: number;
  /** In what the search shows, from 0. */
  readonly position: number;
  /** Number of the entries that the search shows; -1 while it is unknown. */
  readonly setSize: number;
  readonly entry: ListEntry;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  /** Why it cannot be chosen. */
  readonly problem: string | null;
}

/**
 * An entry of the list. Plain elements, which the list styles by their attributes: a styled component for each of them
 * would cost most of a frame while the visitor scrolls.
 */
export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { id, index, position, setSize, entry, isChosen, isActive, problem } = props;
  const formats = useFormats();
  return (
    <div
      role="option"
      id={id}
      aria-selected={isChosen}
      aria-disabled={problem !== null || undefined}
      aria-setsize={setSize}
      aria-posinset={position + 1}
      data-index={index}
      data-active={isActive || undefined}
      style={{ top: `calc(var(--row) * ${position})` }}
    >
      <span data-mark="" aria-hidden="true" />
      {entry.thumbnail !== undefined && <img src={entry.thumbnail} alt="" />}
      <span data-title="" dir="auto" title={entry.title}>
        {entry.title}
      </span>
      <span data-length="">{entry.durationSeconds !== null && formats.clock(entry.durationSeconds)}</span>
      {problem !== null && (
        <span data-problem="" title={problem}>
          {problem}
        </span>
      )}
    </div>
  );
});
