import { chakra } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { takeLinks } from "../../client/client.ts";
import { useTexts } from "../../texts/store.ts";

const TEXT_TYPES = new Set(["text/uri-list", "text/plain"]);

const Area = chakra("div", {
  base: {
    position: "fixed",
    inset: "0",
    zIndex: 30,
    display: "grid",
    placeItems: "center",
    p: "6",
    textAlign: "center",
    bg: "color-mix(in srgb, {colors.bg} 88%, transparent)",
    textStyle: "heading",
    animation: "fadeIn 120ms",
    _motionReduce: { animation: "none" },
    _before: {
      content: '""',
      position: "absolute",
      inset: "4",
      border: "2px dashed {colors.accent.text}",
      borderRadius: "xl",
      bg: "accent.soft",
      opacity: 0.5,
    },
    // Otherwise each child element fires its own dragenter and dragleave.
    "& *": { pointerEvents: "none", position: "relative" },
  },
});

function textOf(data: DataTransfer): string {
  // In text/uri-list, lines that begin with # are comments.
  const list = data.getData("text/uri-list").replaceAll(/^#.*$/gm, "");
  return list.trim() === "" ? data.getData("text/plain") : list;
}

/** Makes the whole page a drop target while a link or text is dragged over it. */
export function DropArea() {
  const [isOver, setIsOver] = useState(false);
  const texts = useTexts().converter;

  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    // Drags of the page's own pictures and links are ignored.
    let isOwnDrag = false;
    document.addEventListener("dragstart", () => (isOwnDrag = true), { signal });
    document.addEventListener("dragend", () => (isOwnDrag = false), { signal });
    document.addEventListener(
      "dragenter",
      (event) => {
        if (!isOwnDrag && event.dataTransfer?.types.some((type) => TEXT_TYPES.has(type))) setIsOver(true);
      },
      { signal },
    );
    return () => unmounted.abort();
  }, []);

  if (!isOver) return null;
  return createPortal(
    <Area
      aria-hidden
      data-drop-area
      onDragOver={(event) => event.preventDefault()}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        takeLinks(textOf(event.dataTransfer));
      }}
    >
      <span>{texts.dropHere}</span>
    </Area>,
    document.body,
  );
}
