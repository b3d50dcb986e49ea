// What needs attention now, and today against the same day last week.
import { Trans, useLingui } from '@lingui/react/macro';
import { SimpleGrid, Stack } from '@mantine/core';
import { useOverview } from '../../api/overview.ts';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { clockTime, zoneName } from '../../format/time.ts';
import { Attention } from './attention.tsx';
import { Balances } from './balances.tsx';
import { Refusals } from './refusals.tsx';
import { Today } from './today.tsx';
import { Trend } from './trend.tsx';

const EVERY_MS = 30_000;

export default function Overview() {
  const { t } = useLingui();
  const { data, error, refetch } = useOverview({ everyMs: EVERY_MS });
  if (!data) {
    return (
      <Page title={t`Overview`}>
        <Waiting error={error} retry={refetch} />
      </Page>
    );
  }
  const [time, zone] = [clockTime(data.at), zoneName()];
  return (
    <Page
      title={t`Overview`}
      description={
        <Trans>
          As of {time} {zone}. Updated every 30 seconds.
        </Trans>
      }
    >
      <Stack gap="lg">
        <Attention overview={data} />
        <Today overview={data} />
        {data.last_30_days && <Trend course={data.last_30_days} />}
        <SimpleGrid cols={{ base: 1, lg: data.balances ? 2 : 1 }} spacing="lg">
          <Refusals overview={data} />
          {data.balances && <Balances balances={data.balances} cover={data.finance?.cover} />}
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
