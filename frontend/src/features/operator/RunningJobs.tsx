import { Box, Flex } from "@chakra-ui/react";
import type { OperatorState, RunningJob } from "../../../../common/operator.ts";
import { Pill } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { ageSince } from "./format.ts";
import { ConfirmButton, Empty, Row, Rows, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

/** Beside its figure. The site's own bar follows the direction of the visitor's language, and this page has but one. */
function Bar({ percent, label }: { percent: number; label: string }) {
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      my="2"
      maxW="22rem"
      h="1.5"
      borderRadius="full"
      bg="track"
      overflow="hidden"
    >
      <Box h="full" bg="accent" style={{ width: `${percent}%` }} />
    </Box>
  );
}

function JobRow({ job, asOf }: { job: RunningJob; asOf: string }) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().running;
  const { tiers } = useOperatorTexts().accounts;
  const stage = texts.stages[job.stage ?? "none"];
  return (
    <Row
      buttons={
        <ConfirmButton
          label={texts.cancel}
          name={texts.cancelNamed(job.id)}
          question={texts.cancelForSure}
          isBusy={isBusy}
          onConfirm={() => void act({ act: "cancel_job", jobId: job.id })}
        />
      }
    >
      <Flex wrap="wrap" align="center" gap="2" data-running={job.id}>
        <b>{texts.of(job.format.toUpperCase(), job.site)}</b>
        <Pill>{tiers[job.tier]}</Pill>
        <Box as="span" textStyle="meta">
          {stage} {`${Math.floor(job.progress)} %`}
          {job.attempt > 1 && ` · ${texts.attempt(job.attempt)}`}
        </Box>
      </Flex>
      <Bar percent={job.progress} label={stage} />
      <Box textStyle="meta">
        {texts.details(job.worker, job.exit ?? texts.noExit, ageSince(job.createdAt, asOf))}
        <Box>{job.id}</Box>
      </Box>
    </Row>
  );
}

export function RunningJobs({ running, queue, asOf }: OperatorState) {
  const texts = useOperatorTexts().running;
  const hidden = queue.reduce((sum, row) => sum + row.running, 0) - running.length;
  return (
    <Section title={texts.title}>
      {running.length === 0 && <Empty>{texts.none}</Empty>}
      <Rows>
        {running.map((job) => (
          <JobRow key={job.id} job={job} asOf={asOf} />
        ))}
      </Rows>
      {hidden > 0 && running.length > 0 && <Empty>{texts.more(hidden)}</Empty>}
    </Section>
  );
}
