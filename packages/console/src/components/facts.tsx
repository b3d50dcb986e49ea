// Names and values of a record, in as many columns as fit.
import type { ReactNode } from 'react';
import classes from './facts.module.css';
import { Absent } from './status.tsx';

export type Fact = [name: ReactNode, value: ReactNode] | false | null;

export function Facts({ facts, narrow = false }: { facts: Fact[]; narrow?: boolean }) {
  return (
    <dl className={narrow ? `${classes.facts} ${classes.narrow}` : classes.facts}>
      {facts.map((fact, n) =>
        fact ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record's names do not change their order.
          <div key={n}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] === null || fact[1] === undefined || fact[1] === '' ? <Absent /> : fact[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
