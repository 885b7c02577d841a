import { Box, Button, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { OperatorState, ProcessReport, YouTubeClient } from "../../../../common/operator.ts";
import { Pill } from "../../components/Card.tsx";
import { useOperatorTexts } from "../../texts/operator/index.ts";
import { ageSince, bytesOf, percentOf, timeOf } from "./format.ts";
import { ConfirmButton, Empty, Row, Rows, Section } from "./Section.tsx";
import { useAct } from "./use-act.ts";

/** Less than this is soon too little for the files of a few conversions. */
const LITTLE_DISK_BYTES = 5e9;
/** A working yt-dlp fails now and then, because videos are odd. */
const HIGH_FAILURE_SHARE = 0.3;
/** A ping that takes so long shows a database under load, or far away. */
const SLOW_DATABASE_MS = 250;

function State({ isBad = false, children }: { isBad?: boolean; children: ReactNode }) {
  return <Pill data-tone={isBad ? "bad" : undefined}>{children}</Pill>;
}

function ProcessStates({ report }: { report: ProcessReport }) {
  const texts = useOperatorTexts().processes;
  const { sockets, conversions, workerState, extractor, exits, freeDiskBytes, isRedisUp, databaseMs } = report;
  return (
    <Flex wrap="wrap" gap="1.5" mt="2">
      {sockets !== null && <State>{texts.sockets(sockets)}</State>}
      {conversions !== null && <State>{texts.conversions(conversions)}</State>}
      {(workerState === "draining" || workerState === "drained") && (
        <State isBad>{texts.workerStates[workerState]}</State>
      )}
      {freeDiskBytes === null ? (
        <State isBad>{texts.noDisk}</State>
      ) : (
        <State isBad={freeDiskBytes < LITTLE_DISK_BYTES}>{texts.disk(bytesOf(freeDiskBytes))}</State>
      )}
      {databaseMs === null && <State isBad>{texts.noDatabase}</State>}
      {typeof databaseMs === "number" && (
        <State isBad={databaseMs > SLOW_DATABASE_MS}>{texts.database(databaseMs)}</State>
      )}
      {isRedisUp !== null && <State isBad={!isRedisUp}>{isRedisUp ? texts.redis.up : texts.redis.down}</State>}
      {extractor === null ? (
        <State>{texts.noExtractor}</State>
      ) : (
        <>
          <State>{texts.extractor(extractor.version, Math.round(extractor.ageDays))}</State>
          <State isBad={extractor.failingCanaries > 0}>
            {extractor.failingCanaries > 0 ? texts.canaries(extractor.failingCanaries) : texts.canariesOk}
          </State>
          {extractor.failureShare > 0 && (
            <State isBad={extractor.failureShare > HIGH_FAILURE_SHARE}>
              {texts.failing(percentOf(extractor.failureShare))}
            </State>
          )}
        </>
      )}
      {exits.map(({ name, isPaused }) => (
        <State key={name} isBad={isPaused}>
          {texts.exit(name, isPaused)}
        </State>
      ))}
    </Flex>
  );
}

function FailingCanaries({ extractor }: ProcessReport) {
  const texts = useOperatorTexts().processes;
  const names = extractor?.failingCanaryNames ?? [];
  if (names.length === 0) return null;
  return (
    <Box textStyle="meta" mt="2" overflowWrap="anywhere">
      {texts.failingCanaries(names.join(", "))}
    </Box>
  );
}

function WaitingRelease({ extractor }: ProcessReport) {
  const texts = useOperatorTexts().processes;
  const waiting = extractor?.waiting;
  if (!waiting) return null;
  const { version, until, packages } = waiting;
  const reasons = [
    until !== null && texts.waitingUntil(timeOf(until)),
    packages.length > 0 && texts.waitingFor(packages.join(", ")),
  ];
  return (
    <Box textStyle="meta" mt="2" overflowWrap="anywhere">
      {`${texts.waiting(version)}: ${reasons.filter(Boolean).join("; ")}`}
    </Box>
  );
}

function HeldBack({ extractor }: ProcessReport) {
  const texts = useOperatorTexts().processes.heldBack;
  if (!extractor?.heldBack) return null;
  const { cause, version, words } = extractor.heldBack;
  return (
    <Box textStyle="meta" mt="2" overflowWrap="anywhere">
      {[texts[cause](version ?? extractor.version), words].filter(Boolean).join(": ")}
    </Box>
  );
}

function YouTubeClientLine({ client }: { client: YouTubeClient }) {
  const texts = useOperatorTexts().processes.client;
  const { name, videos, formats, withCaptions, captionsWithheld, refusals, lastVideoAt, isAskedLast } = client;
  const parts = [
    texts.videos(videos, formats),
    withCaptions > 0 && texts.withCaptions(withCaptions),
    captionsWithheld > 0 && texts.captionsWithheld(captionsWithheld),
    ...refusals.map(({ code, times }) => texts.refused(code, times)),
    lastVideoAt === null ? texts.noVideo : texts.lastVideo(timeOf(lastVideoAt)),
  ];
  return (
    <Box textStyle="meta" mt="2" overflowWrap="anywhere">
      {`${texts.name(name)}: ${parts.filter(Boolean).join("; ")} `}
      {isAskedLast && <State isBad>{texts.askedLast}</State>}
    </Box>
  );
}

function YouTubeLines({ youtube }: ProcessReport) {
  const texts = useOperatorTexts().processes;
  if (!youtube) return null;
  const { unknownClients, unknownReasons, scripts } = youtube;
  const lines = unknownReasons.map((words) => texts.unknownReason(words));
  if (unknownClients.length > 0) lines.unshift(texts.unknownClients(unknownClients.join(", ")));
  if (scripts) lines.unshift(texts.scripts[scripts]);
  return lines.map((line) => (
    <Box key={line} textStyle="meta" mt="2" overflowWrap="anywhere">
      {line}
    </Box>
  ));
}

/** Drains one worker, or lets it take jobs again. */
function WorkerButton({ id, name, workerState }: ProcessReport) {
  const { isBusy, act } = useAct();
  const texts = useOperatorTexts().processes;
  if (workerState === null || workerState === undefined) return null;
  if (workerState === "working")
    return (
      <ConfirmButton
        label={texts.drain}
        name={texts.drainNamed(name)}
        question={texts.drainForSure}
        isBusy={isBusy}
        onConfirm={() => void act({ act: "drain_worker", processId: id })}
      />
    );
  return (
    <Button
      size="sm"
      variant="outline"
      aria-label={texts.resumeNamed(name)}
      disabled={isBusy}
      onClick={() => void act({ act: "resume_worker", processId: id })}
    >
      {texts.resume}
    </Button>
  );
}

export function Processes({ processes, asOf }: OperatorState) {
  const texts = useOperatorTexts().processes;
  return (
    <Section title={texts.title} about={texts.about}>
      {processes.length === 0 && <Empty>{texts.none}</Empty>}
      <Rows>
        {processes.map((report) => (
          <Row key={report.id} buttons={<WorkerButton {...report} />}>
            <b>{report.name}</b>{" "}
            <Box as="span" textStyle="meta">
              {`${report.role} · ${texts.since(ageSince(report.startedAt, asOf))}`}
            </Box>
            <ProcessStates report={report} />
            <FailingCanaries {...report} />
            <WaitingRelease {...report} />
            <HeldBack {...report} />
            <YouTubeLines {...report} />
            {report.youtube?.clients?.map((client) => (
              <YouTubeClientLine key={client.name} client={client} />
            ))}
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
