// The picture of a payment network. The table beside it has the same figures.
import type { PaymentNetwork } from '@kissi/client';
import { Plural } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { money, shortMoney } from '../../../format/money.ts';
import { screenOf } from '../words.ts';
import { datesOf, nodeDates } from './dates.ts';
import { type Layout, type Line, layoutOf, type Placed } from './layout.ts';
import classes from './network.module.css';

const CHARACTER = 7.4;
const NARROW = 560;

export function Picture({ network }: { network: PaymentNetwork }) {
  const { ref, width } = useElementSize();
  const [active, setActive] = useState<string | null>(null);
  const isNarrow = width < NARROW;
  const labelWidth = isNarrow ? Math.max(90, width * 0.34) : Math.min(230, width * 0.3);
  const layout = width > 0 ? layoutOf(network, width, labelWidth, isNarrow ? 8 : 20) : null;
  return (
    <>
      <div ref={ref} className={classes.picture} aria-hidden="true">
        {layout && (
          <Drawing layout={layout} width={width} labelWidth={labelWidth} active={active} onActive={setActive} />
        )}
      </div>
      {layout && layout.hidden > 0 && (
        <Text size="xs" px="md" pb="xs">
          <Plural
            value={layout.hidden}
            one="# counterparty is not drawn: the table has all of them."
            other="# counterparties are not drawn: the table has all of them."
          />
        </Text>
      )}
    </>
  );
}

interface DrawingProps {
  layout: Layout;
  width: number;
  labelWidth: number;
  active: string | null;
  onActive: (id: string | null) => void;
}

function Drawing({ layout, width, labelWidth, active, onActive }: DrawingProps) {
  const isQuiet = (...ids: string[]) => active !== null && !ids.includes(active);
  return (
    <svg width={width} height={layout.height} className={classes.svg} role="presentation">
      {layout.lines.map((line) => (
        <Flow key={line.key} line={line} quiet={isQuiet(line.link.from, line.link.to)} />
      ))}
      {layout.placed.map((place) => (
        <Account
          key={place.node.id}
          place={place}
          room={Math.floor((labelWidth - 16) / CHARACTER)}
          quiet={place.side !== 'middle' && isQuiet(place.node.id)}
          onActive={onActive}
        />
      ))}
    </svg>
  );
}

function Flow({ line, quiet }: { line: Line; quiet: boolean }) {
  const kind = line.isAmongOthers ? classes.among : classes.flow;
  const { value, ...dates } = line.link;
  return (
    <path d={line.path} strokeWidth={line.width} className={`${kind} ${quiet ? classes.quiet : ''}`}>
      <title>{[money(value), datesOf(dates)].join(' · ')}</title>
    </path>
  );
}

interface AccountProps {
  place: Placed;
  /** Characters that fit. */
  room: number;
  quiet: boolean;
  onActive: (id: string | null) => void;
}

function Account({ place, room, quiet, onActive }: AccountProps) {
  const navigate = useNavigate();
  const { node, side, x, y, value } = place;
  const screen = screenOf(node.id);
  const name = cut(node.name ?? node.id, room);
  const isSubject = side === 'middle';
  const second = [shortMoney(value), nodeDates(node)].join(' · ');
  const at = { left: x - 12, right: x + 12, middle: x }[side];
  const anchor = ({ left: 'end', right: 'start', middle: 'middle' } as const)[side];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hidden from assistive technology; the table has the links.
    <g
      className={`${classes.account} ${quiet ? classes.quiet : ''} ${screen ? classes.link : ''}`}
      onMouseEnter={() => onActive(isSubject ? null : node.id)}
      onMouseLeave={() => onActive(null)}
      onClick={() => screen && void navigate({ to: screen })}
    >
      <circle cx={x} cy={y} r={isSubject ? 9 : 5} data-kind={isSubject ? 'subject' : node.kind} />
      <text x={at} y={isSubject ? y - 18 : y - 2} textAnchor={anchor} className={isSubject ? classes.subject : ''}>
        {name}
      </text>
      {!isSubject && (
        <text x={at} y={y + 12} textAnchor={anchor} className={classes.value}>
          {second.length > room ? shortMoney(value) : second}
        </text>
      )}
    </g>
  );
}

const cut = (name: string, room: number) => (name.length > room ? `${name.slice(0, Math.max(3, room - 1))}…` : name);
