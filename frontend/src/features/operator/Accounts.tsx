import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { DELETE_FOR_SOMEBODY_PHRASE } from "../../../../common/operator-calls.ts";
import type { FoundAccount } from "../../../../common/operator-calls.ts";
import { sentenceFor } from "../../api/errors.ts";
import { exportPath, operatorApi } from "../../api/operator-api.ts";
import { Pill } from "../../components/Card.tsx";
import { DeletionForm } from "../../components/DeletionForm.tsx";
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

function Deletion({ userId, onDeleted, onCancel }: DeletionProps) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().accounts;

  async function confirm(): Promise<void> {
    if (await act({ act: "delete_account", userId, confirmation: DELETE_FOR_SOMEBODY_PHRASE })) onDeleted();
  }

  return (
    <DeletionForm
      w="full"
      phrase={DELETE_FOR_SOMEBODY_PHRASE}
      around={texts.confirm}
      texts={texts}
      fieldHeight="12"
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    />
  );
}

interface AccountProps {
  readonly account: FoundAccount;
  readonly onChanged: () => void;
}

function AccountRow({ account, onChanged }: AccountProps) {
  const texts = useOperatorTexts().accounts;
  const { id, email, tier, isGranted, isEmailVerified, createdAt, jobs, sessions } = account;
  return (
    <Row buttons={<AccountButtons account={account} onChanged={onChanged} />}>
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

function AccountButtons({ account: { id, isGranted }, onChanged }: AccountProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().accounts;

  async function changeGrant(): Promise<void> {
    await act({ act: isGranted ? "revoke_pro" : "grant_pro", userId: id });
    onChanged();
  }

  if (isDeleting) return <Deletion userId={id} onDeleted={onChanged} onCancel={() => setIsDeleting(false)} />;
  return (
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
  );
}

/** Accounts of an email address, as the server has found them last. */
function useFoundAccounts() {
  const [found, setFound] = useState<readonly FoundAccount[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { failed } = useOperatorTexts();

  async function find(email: string): Promise<void> {
    setIsBusy(true);
    setProblem(null);
    try {
      setFound(await operatorApi.findAccounts(email.trim()));
    } catch (error) {
      setFound(null);
      setProblem(sentenceFor(error, failed));
    } finally {
      setIsBusy(false);
    }
  }

  return { found, problem, isBusy, find };
}

interface EmailFieldProps {
  readonly email: string;
  readonly isBusy: boolean;
  readonly onChange: (email: string) => void;
}

function EmailField({ email, isBusy, onChange }: EmailFieldProps) {
  const id = useId();
  const texts = useOperatorTexts().accounts;
  return (
    <>
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
          onChange={(event) => onChange(event.target.value)}
        />
        <Button type="submit" variant="outline" minH="12" disabled={isBusy || email.trim().length < 3}>
          {texts.find}
        </Button>
      </Flex>
    </>
  );
}

export function Accounts() {
  const [email, setEmail] = useState("");
  const { found, problem, isBusy, find } = useFoundAccounts();
  const texts = useOperatorTexts().accounts;
  return (
    <Section title={texts.title} about={texts.about}>
      <chakra.form
        p="4"
        onSubmit={(event) => {
          event.preventDefault();
          void find(email);
        }}
      >
        <EmailField email={email} isBusy={isBusy} onChange={setEmail} />
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
              <AccountRow key={account.id} account={account} onChanged={() => void find(email)} />
            ))}
          </Rows>
        )}
      </Box>
    </Section>
  );
}
