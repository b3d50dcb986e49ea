// Under a list's filters: what the records that match add up to, where the filters bound them.
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { money, count as written } from '../../format/money.ts';
import type { ListDefinition, Query } from './definition.ts';

interface SumsProps {
  definition: ListDefinition<never>;
  query: Query;
}

export default function Sums({ definition: { resource, sums, everyMs }, query }: SumsProps) {
  const isBounded = sums?.isBounded(query) ?? false;
  const { data } = useRead([resource, 'sums', query], (options) => sums?.read(kissi, query, options) as never, {
    enabled: isBounded,
    ...(everyMs === undefined ? {} : { everyMs }),
  }) as { data: ListSums | undefined };
  if (!isBounded || !data) return null;
  const [count, amount, fee] = [written(data.count), money(data.amount), money(data.fee)];
  return (
    <Text size="sm" role="status" data-sums>
      {data.is_minimum ? (
        <Trans>
          At least {count}: {amount}, fees {fee}
        </Trans>
      ) : (
        <Trans>
          In total {count}: {amount}, fees {fee}
        </Trans>
      )}
    </Text>
  );
}

export interface ListSums {
  count: number;
  amount: number;
  fee: number;
  is_minimum?: true;
}
