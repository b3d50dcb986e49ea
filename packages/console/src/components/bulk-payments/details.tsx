// Who uploaded and approved a bulk payment, with which choices, and its reports.
import type { BulkPayment } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUser } from '../../api/user.ts';
import { instant } from '../../format/time.ts';
import { Download } from '../download.tsx';
import { Facts } from '../facts.tsx';
import { Link } from '../link.tsx';
import classes from './bulk-payments.module.css';
import { inGroups } from './upload.ts';

interface DetailsProps {
  payment: BulkPayment;
  /** The list's address. */
  list: string;
}

export default function Details(props: DetailsProps) {
  return (
    <>
      <Reports {...props} />
      <Record {...props} />
    </>
  );
}

function Record({ payment, list }: DetailsProps) {
  const { t } = useLingui();
  const { unclaimed, mode, created_at, approved_at, approved_by, started_at, ended_at, ended_by } = payment;
  const { file_sha256, retry_of, repeat_of, uploaded_by, starts_at } = payment;
  const other = (id: string) => <Link to={`${list}/${id}`}>{t`Show it`}</Link>;
  return (
    <section>
      <Title order={2} mb="xs">{t`Details`}</Title>
      <Facts
        facts={[
          [t`Uploaded`, <When key="uploaded" at={created_at} by={uploaded_by} />],
          approved_at !== null && [t`Approved`, <When key="approved" at={approved_at} by={approved_by} />],
          starts_at !== null && [t`Starts`, instant(starts_at)],
          started_at !== null && [t`First row paid`, instant(started_at)],
          ended_at !== null && [t`Ended`, <When key="ended" at={ended_at} by={ended_by} />],
          mode !== null && [
            t`If a row cannot be paid`,
            mode === 'continue' ? t`The others are paid` : t`Nothing starts`,
          ],
          [t`Numbers without a wallet`, unclaimed === 'code' ? t`Get a code by SMS` : t`Cannot be paid`],
          retry_of !== null && [t`Failed rows of`, other(retry_of)],
          repeat_of !== null && [t`Pays again the file of`, other(repeat_of)],
          file_sha256 !== null && [
            t`SHA-256 of the file`,
            <span key="hash" className={classes.hash}>
              {inGroups(file_sha256)}
            </span>,
          ],
        ]}
      />
    </section>
  );
}

function When({ at, by }: { at: string; by: string | null }): ReactNode {
  const { id } = useUser();
  const when = instant(at);
  if (by === null) return when;
  if (by === id) return <Trans>{when}, by you</Trans>;
  if (by.startsWith('key_')) return <Trans>{when}, by an API key</Trans>;
  return <Trans>{when}, by another login</Trans>;
}

/** While nothing has been decided there is nothing to report but the checks. */
function Reports({ payment: { id, status } }: DetailsProps) {
  const { t } = useLingui();
  if (status === 'checking') return null;
  return (
    <div className={classes.buttons}>
      <Download
        size="md"
        call={(client) => client.bulkPayments.report(id)}
        name={`${id}.csv`}
        label={t`Report (CSV)`}
      />
      <Download
        size="md"
        call={(client) => client.bulkPayments.reportPdf(id)}
        name={`${id}.pdf`}
        label={t`Report (PDF)`}
      />
    </div>
  );
}
