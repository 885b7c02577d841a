import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { DELETE_FOR_SOMEBODY_PHRASE } from "../../../../common/operator-calls.ts";
import type { FoundAccount } from "../../../../common/operator-calls.ts";
import { sentenceFor } from "../../api/errors.ts";
import { exportPath, operatorApi } from "../../api/operator-api.ts";
import { Pill } from "../../components/Card.tsx";
import { Input } from "../../components/Input.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { dayOf } from "./format.ts";
import { Empty, Row, Rows, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

interface DeletionProps {
  readonly userId: string;
  readonly onDeleted: () => void;
  readonly onCancel: () => void;
}

/** Deletes only when the exact phrase is typed. */
function Deletion({ userId, onDeleted, onCancel }: DeletionProps) {
  const [text, setText] = useState("");
  const { isBusy, act } = useAct();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const texts = useOperatorTexts().accounts;
  useEffect(() => field.current?.focus(), []);

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await act({ act: "delete_account", userId, confirmation: DELETE_FOR_SOMEBODY_PHRASE })) onDeleted();
  }

  return (
    <chakra.form w="full" onSubmit={(event) => void confirm(event)}>
      <chakra.label htmlFor={id} display="block" mb="2" fontSize="sm">
        {texts.confirm.before} <b>{DELETE_FOR_SOMEBODY_PHRASE}</b> {texts.confirm.after}
      </chakra.label>
      <Flex wrap="wrap" gap="2">
        <Input
          id={id}
          ref={field}
          value={text}
          autoComplete="off"
          flex="1 1 14rem"
          w="auto"
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          type="submit"
          bg="bad"
          color="surface"
          _hover={{ bg: "bad" }}
          disabled={isBusy || text.trim() !== DELETE_FOR_SOMEBODY_PHRASE}
        >
          {texts.deleteForGood}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.keep}
        </Button>
      </Flex>
    </chakra.form>
  );
}

function AccountRow({ account, onChanged }: { account: FoundAccount; onChanged: () => void }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().accounts;
  const { id, email, tier, isGranted, isEmailVerified, createdAt, jobs, sessions } = account;

  async function changeGrant(): Promise<void> {
    await act({ act: isGranted ? "revoke_pro" : "grant_pro", userId: id });
    onChanged();
  }

  return (
    <Row
      buttons={
        isDeleting ? (
          <Deletion userId={id} onDeleted={onChanged} onCancel={() => setIsDeleting(false)} />
        ) : (
          <Flex wrap="wrap" gap="2">
            <Button size="sm" variant="outline" disabled={isBusy} onClick={() => void changeGrant()}>
              {isGranted ? texts.revoke : texts.grant}
            </Button>
            <Button asChild size="sm" variant="outline">
              <a href={exportPath(id)} download>
                {texts.export}
              </a>
            </Button>
            <Button size="sm" variant="ghost" color="bad" _hover={{ color: "bad" }} onClick={() => setIsDeleting(true)}>
              {texts.delete}
            </Button>
          </Flex>
        )
      }
    >
      <Flex wrap="wrap" align="center" gap="2">
        <b>{email}</b>
        <Pill>{isGranted ? texts.granted : texts.tiers[tier]}</Pill>
        {!isEmailVerified && <Pill data-tone="bad">{texts.unverified}</Pill>}
      </Flex>
      <Box textStyle="meta" mt="1">
        {[texts.created(dayOf(createdAt)), texts.jobs(jobs), texts.sessions(sessions)].join(" · ")}
        <Box>{id}</Box>
      </Box>
    </Row>
  );
}

export function Accounts() {
  const [email, setEmail] = useState("");
  const [found, setFound] = useState<readonly FoundAccount[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const id = useId();
  const all = useOperatorTexts();
  const texts = all.accounts;

  async function find(): Promise<void> {
    setIsBusy(true);
    setProblem(null);
    try {
      setFound(await operatorApi.findAccounts(email.trim()));
    } catch (error) {
      setFound(null);
      setProblem(sentenceFor(error, all.failed));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Section title={texts.title} about={texts.about}>
      <chakra.form
        p="4"
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <chakra.label htmlFor={id} display="block" mb="2" fontWeight={600}>
          {texts.email}
        </chakra.label>
        <Flex wrap="wrap" gap="2">
          <Input
            id={id}
            type="email"
            autoComplete="off"
            value={email}
            flex="1 1 16rem"
            w="auto"
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" minH="12" disabled={isBusy || email.trim().length < 3}>
            {texts.find}
          </Button>
        </Flex>
        {problem !== null && (
          <Box role="alert" color="bad" mt="3">
            {problem}
          </Box>
        )}
      </chakra.form>
      <Box aria-live="polite">
        {found?.length === 0 && <Empty>{texts.none}</Empty>}
        {found && found.length > 0 && (
          <Rows borderTop="1px solid {colors.border}">
            {found.map((account) => (
              <AccountRow key={account.id} account={account} onChanged={() => void find()} />
            ))}
          </Rows>
        )}
      </Box>
    </Section>
  );
}
