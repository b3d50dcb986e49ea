// A match's items, side by side.
import { useLingui } from '@lingui/react/macro';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Link } from '../../../components/link.tsx';
import { Waiting } from '../../../components/states.tsx';
import { useTypeName } from '../../../components/type-name.ts';
import { Money } from '../../../components/values.tsx';
import { date } from '../../../format/time.ts';
import classes from './desk.module.css';
import { recordOf } from './record-link.tsx';
import type { Item } from './selection.ts';

export function MatchItems({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['matches', id], (options) => kissi.reconciliation.getMatch(id, options));
  if (!data) return <Waiting error={error} retry={refetch} rows={3} />;
  return (
    <div className={classes.desk}>
      <SideItems title={t`Bank`} items={data.items.filter(({ side }) => side === 'bank')} />
      <SideItems title={t`Books`} items={data.items.filter(({ side }) => side === 'books')} />
    </div>
  );
}

function SideItems({ title, items }: { title: string; items: Item[] }) {
  const { t } = useLingui();
  const typeName = useTypeName();
  return (
    <section aria-label={title}>
      <span className={classes.title}>{title}</span>
      {items.length === 0 && <span className={classes.second}>{t`Nothing on this side`}</span>}
      <ul className={classes.items}>
        {items.map((item) => {
          const { id, side, type, counterparty, description, reference, amount, date: day } = item;
          return (
            <li key={id} className={classes.item}>
              <span className={classes.text}>
                <span className={classes.title}>
                  <Link to={recordOf(item)}>
                    {counterparty ?? (side === 'books' ? typeName(type) : (description ?? t`Bank entry`))}
                  </Link>
                </span>
                <span className={classes.second}>
                  {[date(day), side === 'books' ? typeName(type) : null, reference].filter(Boolean).join(' · ')}
                </span>
              </span>
              <Money value={amount} signed />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
