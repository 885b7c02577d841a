/** The form that follows a list by its link. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { MAX_LINK_LENGTH } from "../../../../common/api.ts";
import { MAX_VIDEOS_PER_DAY } from "../../../../common/follows.ts";
import { Format } from "../../../../common/tiers.ts";
import { Card } from "../../components/Card.tsx";
import { Input } from "../../components/Input.tsx";
import { useFollowTexts } from "../../texts/follows/index.ts";
import { useFormats } from "../../texts/store.ts";
import { follow } from "./follow-store.ts";

const EXAMPLE = "https://www.youtube.com/@…";
const NEWEST = [0, 1, 5, MAX_VIDEOS_PER_DAY];

export function Field({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <Box flex="1 1 9rem" minW="0">
      <chakra.label htmlFor={id} display="block" mb="1.5" fontSize="sm" fontWeight={600}>
        {label}
      </chakra.label>
      {children(id)}
    </Box>
  );
}

export function NewFollow() {
  const [url, setUrl] = useState("");
  const [format, setFormat] = useState<Format>("mp3");
  const [newest, setNewest] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const texts = useFollowTexts();
  const formats = useFormats();

  async function submit(): Promise<void> {
    if (url.trim() === "" || isBusy) return;
    setIsBusy(true);
    if (await follow({ url: url.trim(), format, newest })) setUrl("");
    setIsBusy(false);
  }

  return (
    <Card as="div" p="4" mb="6">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={texts.link}>
          {(id) => (
            <Input
              id={id}
              inputMode="url"
              autoComplete="off"
              dir="ltr"
              value={url}
              maxLength={MAX_LINK_LENGTH}
              placeholder={EXAMPLE}
              onChange={({ target }) => setUrl(target.value)}
              mb="3"
            />
          )}
        </Field>
        <Flex wrap="wrap" gap="3" align="end">
          <Field label={texts.format}>
            {(id) => (
              <Input asChild id={id} px="3">
                <select value={format} onChange={({ target }) => setFormat(Format.parse(target.value))}>
                  {Format.options.map((name) => (
                    <option key={name} value={name}>
                      {formats.formatName(name)}
                    </option>
                  ))}
                </select>
              </Input>
            )}
          </Field>
          <Field label={texts.newest}>
            {(id) => (
              <Input asChild id={id} px="3">
                <select value={newest} onChange={({ target }) => setNewest(Number(target.value))}>
                  {NEWEST.map((count) => (
                    <option key={count} value={count}>
                      {count === 0 ? texts.noneOfThem : texts.first(count, formats.number(count))}
                    </option>
                  ))}
                </select>
              </Input>
            )}
          </Field>
          <Button
            type="submit"
            minH="12"
            disabled={isBusy || url.trim() === ""}
            flex={{ base: "1 1 100%", sm: "none" }}
          >
            {isBusy ? texts.reading : texts.follow}
          </Button>
        </Flex>
      </form>
    </Card>
  );
}
