// The payments of the agent: the type as buttons, and as many as the agent asks for.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { kissi } from '../../api/session.ts';
import { Movements, type OwnMovement } from '../../components/own/movements.tsx';
import own from '../../components/own/own.module.css';
import { OwnPage } from '../../components/own/own-page.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { count } from '../../format/money.ts';
import { HOME, useAgentId } from './own-agent.ts';

const PAGE_SIZE = '20';

export function History() {
  const { t } = useLingui();
  const { type = '' } = useSearch({ strict: false }) as { type?: string };
  const navigate = useNavigate();
  const choices = [
    ['', t`All`],
    ['agent_cashin', t`Cash in`],
    ['wallet_withdraw', t`Cash out`],
    ['agent_transfer', t`Float`],
  ] as const;
  return (
    <OwnPage title={t`History`} home={HOME} narrow>
      <div className={own.chips}>
        {choices.map(([value, name]) => (
          <button
            key={value}
            type="button"
            className={own.chip}
            aria-pressed={type === value}
            onClick={() => void navigate({ to: '.', search: (value ? { type: value } : {}) as never, replace: true })}
          >
            {name}
          </button>
        ))}
      </div>
      <Rows type={type} />
    </OwnPage>
  );
}

function Rows({ type }: { type: string }) {
  const id = useAgentId();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['own-agent', id, 'history', type],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      kissi.agents.transactions(
        id,
        { limit: PAGE_SIZE, ...(type ? { type } : {}), ...(pageParam ? { cursor: pageParam } : {}) } as never,
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const rows = data.pages.flatMap(({ transactions }) => transactions as OwnMovement[]);
  if (rows.length === 0) return <Empty icon="clock" title={<Trans>No payments yet</Trans>} />;
  return (
    <>
      <Movements rows={rows} receiptAt={(txn) => `/agent/receipt/${txn}`} />
      {hasNextPage && (
        <Button size="lg" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more ({count(rows.length)} shown)</Trans>
        </Button>
      )}
    </>
  );
}
