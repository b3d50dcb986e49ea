// One daily close: the contents of the signed document, and the certificate to pass on.
import type { Close } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Code, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { saveFile } from '../../../api/save-file.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { Facts } from '../../../components/facts.tsx';
import { Link } from '../../../components/link.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { Party } from '../../../components/party.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { Waiting } from '../../../components/states.tsx';
import { useTypeName } from '../../../components/type-name.ts';
import { Absent, Id, Instant, Money, Status } from '../../../components/values.tsx';
import { count, money, ratioInPercent } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import classes from '../finance.module.css';
import { kindName } from '../words.ts';
import { CertificateButton } from './certificate.tsx';
import { CloseDay } from './close-day.tsx';
import { type CloseDocument, readDocument } from './document.ts';

export default function CloseScreen() {
  const { date: day = '' } = useParams({ strict: false }) as { date?: string };
  const { data, error, refetch } = useRead(['closes', day], (options) => kissi.closes.get(day, options));
  return data ? <Content close={data.close} /> : <Waiting error={error} retry={refetch} />;
}

function Content({ close }: { close: Close }) {
  const { t } = useLingui();
  const can = useCan();
  const [isCorrecting, setCorrecting] = useState(false);
  const document = readDocument(close.document);
  const saveText = () => void saveFile(new Blob([JSON.stringify(close)]), `close-${close.date}-${close.number}.json`);
  return (
    <Page
      title={t`Close of ${date(close.date)}`}
      above={[{ title: t`Daily closes`, to: '/finance/closes' }]}
      badge={close.corrects ? <Status value={t`Correction`} tone="blue" /> : null}
      actions={
        <>
          {can('closes:write') && <Button variant="default" onClick={() => setCorrecting(true)}>{t`Correct`}</Button>}
          <Button variant="default" onClick={saveText}>{t`Signed text`}</Button>
          <CertificateButton close={close} />
        </>
      }
    >
      <Figures close={close} document={document} />
      <Parts document={document} />
      <Proof close={close} />
      {isCorrecting && <CloseDay day={close.date} corrected={close} onClose={() => setCorrecting(false)} />}
    </Page>
  );
}

function Figures({ close, document }: { close: Close; document: CloseDocument }) {
  const { t } = useLingui();
  const { unmatched, suspense } = document;
  const open = (items: { count: number; amount: number }) => `${count(items.count)} · ${money(items.amount)}`;
  return (
    <Panel>
      <Facts
        facts={[
          [
            t`Cover ratio`,
            <strong key="cover">{close.cover_ratio === null ? '–' : ratioInPercent(close.cover_ratio)}</strong>,
          ],
          [t`E-money`, money(close.e_money)],
          [t`Trust money`, money(close.trust_balance)],
          [t`Difference`, close.cover_difference === null ? null : money(close.cover_difference)],
          [t`Owed by partners`, money(document.partners.owed)],
          [t`Suspense`, open(suspense)],
          [t`Unmatched at the banks`, open(unmatched.bank)],
          [t`Unmatched in the books`, open(unmatched.books)],
          document.corrects ? [t`Reason for the correction`, document.corrects.reason] : null,
        ]}
      />
    </Panel>
  );
}

function Parts({ document }: { document: CloseDocument }) {
  const { t } = useLingui();
  const typeName = useTypeName();
  const { e_money, trust, partners, movements } = document;
  return (
    <div className={classes.columns}>
      <Panel title={t`E-money`} flush>
        <SmallTable
          rows={e_money.by_kind}
          columns={[
            { title: t`Held by`, cell: ({ kind }) => kindName(kind) },
            { title: t`Balance (SLE)`, end: true, cell: ({ balance }) => <Money value={balance} /> },
          ]}
        />
      </Panel>
      <Panel title={t`Trust accounts`} flush>
        <SmallTable
          rows={trust.accounts}
          columns={[
            { title: t`Bank`, cell: ({ bank, account_number }) => `${bank}, ${account_number}` },
            {
              title: t`Balance (SLE)`,
              end: true,
              cell: ({ balance }) => (balance === null ? <Absent /> : <Money value={balance} />),
            },
          ]}
        />
      </Panel>
      <Panel title={t`Partners`} flush>
        <SmallTable
          rows={partners.partners}
          columns={[
            { title: t`Partner`, cell: ({ id, name }) => <Party id={id} name={name} /> },
            { title: t`Owes (SLE)`, end: true, cell: ({ outstanding }) => <Money value={outstanding} /> },
          ]}
        />
      </Panel>
      <Panel title={t`Movements on this day`} flush>
        <SmallTable
          rows={movements}
          columns={[
            { title: t`Type`, cell: ({ type }) => typeName(type) },
            { title: t`Number`, end: true, cell: (movement) => count(movement.count) },
            { title: t`Amount (SLE)`, end: true, cell: ({ amount }) => <Money value={amount} /> },
          ]}
        />
      </Panel>
    </div>
  );
}

function Proof({ close }: { close: Close }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Proof`}>
      <Facts
        facts={[
          [t`Number`, close.number],
          [t`Closed`, <Instant key="at" at={close.created_at} />],
          [t`SHA-256`, <Id key="sha" value={close.sha256} short />],
          [t`SHA-256 of the previous close`, <Id key="previous" value={close.previous_sha256} short />],
          [t`Key`, <Id key="key" value={close.key_id} />],
          close.corrects
            ? [
                t`Corrects`,
                <Link key="corrects" to={`/finance/closes/${close.corrects}`}>
                  {t`the previous close`}
                </Link>,
              ]
            : null,
        ]}
      />
      <Text size="sm" c="dimmed" mt="md">
        <Trans>
          A bank or a regulator verifies the PDF with the public keys alone:{' '}
          <Code>npm run close:verify -- close.pdf</Code>
        </Trans>
      </Text>
    </Panel>
  );
}
