import { Box, chakra } from "@chakra-ui/react";
import { Fragment } from "react";
import { useHead } from "../../platform/use-head.ts";
import { withFigures, type Prose, type ProseSection } from "../../texts/prose.ts";
import { useFigures } from "../../texts/use-figures.ts";
import { TextHead } from "./TextColumn.tsx";

const Contents = chakra("nav", {
  base: {
    bg: "bg.sunken",
    borderRadius: "xl",
    border: "1px solid {colors.border}",
    px: "5",
    py: "4",
    mb: "8",
    "& ol": { columns: { sm: 2 }, columnGap: "8", listStyle: "none", counterReset: "section" },
    "& li": { breakInside: "avoid" },
    "& a": {
      display: "flex",
      gap: "3",
      alignItems: "center",
      minH: "11",
      borderRadius: "sm",
      _hover: { color: "accent.text" },
    },
  },
});

const Email = chakra("a", { base: { color: "accent.text", textDecoration: "underline", overflowWrap: "anywhere" } });

const ADDRESS = /([\w.+'-]+@[\w.-]+\w)/;

/** A paragraph whose email addresses are links. */
function Paragraph({ text }: { text: string }) {
  return text.split(ADDRESS).map((part) =>
    ADDRESS.test(part) ? (
      <Email key={part} href={`mailto:${part}`}>
        {part}
      </Email>
    ) : (
      <Fragment key={part}>{part}</Fragment>
    ),
  );
}

/** Says in a translation that another text is binding. */
function BindingNote({ children }: { children: string }) {
  return (
    <Box
      role="note"
      bg="accent.soft"
      color="accent.text"
      borderRadius="md"
      px="4"
      py="3"
      mb="4"
      fontSize="sm"
      fontWeight={600}
    >
      {children}
    </Box>
  );
}

function TableOfContents({ title, sections }: { title: string; sections: readonly ProseSection[] }) {
  return (
    <Contents aria-labelledby="contents-heading">
      <Box as="h2" id="contents-heading" fontWeight={600} mb="1">
        {title}
      </Box>
      <ol>
        {sections.map((section, index) => (
          <li key={section.id}>
            <a href={`#${section.id}`}>
              <Box as="span" color="fg.muted" fontVariantNumeric="tabular-nums" minW="5" aria-hidden="true">
                {index + 1}
              </Box>
              {section.title}
            </a>
          </li>
        ))}
      </ol>
    </Contents>
  );
}

function Section({ section: { id, title, paragraphs, points } }: { section: ProseSection }) {
  return (
    <Box as="section" id={id} aria-labelledby={`${id}-heading`} maxW="68ch" mb="8">
      <Box as="h2" id={`${id}-heading`} textStyle="heading" mb="2.5">
        {title}
      </Box>
      {paragraphs.map((paragraph) => (
        <Box as="p" key={paragraph} mb="3" lineHeight="1.6">
          <Paragraph text={paragraph} />
        </Box>
      ))}
      {points.length > 0 && (
        <chakra.ul ps="5" listStyleType="disc" display="grid" gap="2" lineHeight="1.6">
          {points.map((point) => (
            <li key={point}>
              <Paragraph text={point} />
            </li>
          ))}
        </chakra.ul>
      )}
    </Box>
  );
}

/** A legal page: table of contents, then sections with anchors. */
export function LegalDocument({ prose }: { prose: Prose }) {
  const { texts, lead, sections } = withFigures(prose, useFigures());
  useHead({ description: texts.description });
  return (
    <>
      <TextHead title={texts.title} lead={lead} />
      <Box textStyle="meta" mb="4">
        {texts.dated}
      </Box>
      {texts.note && <BindingNote>{texts.note}</BindingNote>}
      <TableOfContents title={texts.contents} sections={sections} />
      {sections.map((section) => (
        <Section key={section.id} section={section} />
      ))}
    </>
  );
}
