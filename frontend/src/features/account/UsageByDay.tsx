import { Box, Button, Flex } from "@chakra-ui/react";
import { Suspense, lazy, useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { USAGE_DAYS, type UsageDay } from "../../../../common/usage-days.ts";
import { accountApi } from "../../api/account-api.ts";
import { ApiError } from "../../api/errors.ts";
import { user } from "../../client/stores.ts";
import { Card } from "../../components/Card.tsx";
import { useAccountTexts } from "../../texts/account/index.ts";
import { useFormats } from "../../texts/store.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

const UsageChart = lazy(async () => ({ default: (await import("./UsageChart.tsx")).UsageChart }));

/** Of picture and legend, so that nothing below moves when they come. */
const HEIGHT = "13rem";

function Drawn({ days }: { days: readonly UsageDay[] }) {
  const texts = useAccountTexts();
  const formats = useFormats();
  const conversions = days.reduce((sum, day) => sum + day.conversions, 0);
  const dataUsed = days.reduce((sum, day) => sum + day.dataUsed, 0);
  if (conversions === 0) return <Box color="fg.muted">{texts.noUsage(formats.number(USAGE_DAYS))}</Box>;
  return (
    <>
      <Suspense fallback={<Skeleton h={HEIGHT} />}>
        <Box minH={HEIGHT}>
          <UsageChart days={days} texts={texts} formats={formats} />
        </Box>
      </Suspense>
      <Box textStyle="meta" mt="2">
        {texts.usageSummary(conversions, formats.number(conversions), formats.fileSize(dataUsed))}
      </Box>
    </>
  );
}

interface DaysState {
  readonly days: readonly UsageDay[] | "failed" | null;
  readonly read: () => Promise<void>;
}

const createDaysStore = () =>
  createStore<DaysState>()((set) => ({
    days: null,
    async read() {
      try {
        set({ days: (await accountApi.getUsageDays()).days });
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
        // An older picture is better than none.
        set(({ days }) => ({ days: Array.isArray(days) ? days : "failed" }));
      }
    },
  }));

/** The conversions of the last days, one bar a day. Read again when a conversion is counted: then today's bar grows. */
export function UsageByDay() {
  const texts = useAccountTexts();
  const title = texts.usageByDay(useFormats().number(USAGE_DAYS));
  const [store] = useState(createDaysStore);
  const { days, read } = useStore(store);
  useEffect(() => {
    void read();
    return user.subscribe(({ usage }, { usage: before }) => {
      if (before && usage?.totalConversions !== before.totalConversions) void read();
    });
  }, [read]);
  return (
    <Box as="section" aria-labelledby="usage-heading">
      <Box as="h2" id="usage-heading" textStyle="heading" mt="11" mb="3.5">
        {title}
      </Box>
      <Card as="div" p="4">
        {days === null && <Skeleton h={HEIGHT} role="status" aria-label={title} />}
        {days === "failed" && (
          <Flex role="alert" wrap="wrap" align="center" gap="3">
            {texts.usageFailed}
            <Button size="sm" variant="outline" onClick={() => void read()}>
              {texts.usageRetry}
            </Button>
          </Flex>
        )}
        {Array.isArray(days) && <Drawn days={days} />}
      </Card>
    </Box>
  );
}
