// What can be done with the selected rows of a list, and the dialog that does it: one call for each row, one after the other.
import { type Kissi, KissiError } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Paper, Progress, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { needsApproval } from '../../api/approval.ts';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Dialog } from '../dialog.tsx';
import { useUnsavedGuard } from '../unsaved.ts';
import { Status } from '../values.tsx';
import type { BulkAction, ListDefinition } from './definition.ts';
import classes from './list.module.css';
import type { Ticks } from './ticks.tsx';

interface BulkBarProps {
  definition: ListDefinition<never>;
  selected: never[];
  ticks: Ticks;
}

export default function BulkBar({ definition: { bulk = [] }, selected, ticks }: BulkBarProps) {
  const { t } = useLingui();
  // The rows of a dialog stay, though some leave the list while it runs.
  const [chosen, choose] = useState<{ action: BulkAction<never>; rows: never[] } | null>(null);
  const selectedCount = selected.length;
  const offers = bulk
    .map((action) => ({ action, rows: selected.filter((row) => action.isFor?.(row) ?? true) }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <>
      {selectedCount > 0 && (
        <Paper withBorder radius="md" p="xs" role="region" aria-label={t`Selected rows`}>
          <Group gap="xs">
            <Text size="sm" aria-live="polite">{t`${selectedCount} selected`}</Text>
            {offers.map((offer) => (
              <Button key={offer.action.label} size="compact-sm" variant="default" onClick={() => choose(offer)}>
                {offer.rows.length < selectedCount
                  ? `${offer.action.label} (${offer.rows.length})`
                  : offer.action.label}
              </Button>
            ))}
            <Button size="compact-sm" variant="subtle" color="gray" onClick={ticks.clear}>
              <Trans>Clear</Trans>
            </Button>
          </Group>
        </Paper>
      )}
      {chosen && (
        <BulkDialog
          {...chosen}
          onClose={() => {
            choose(null);
            ticks.clear();
          }}
        />
      )}
    </>
  );
}

type Result = 'waiting' | 'running' | 'done' | 'sent' | { refusal: string };

function BulkDialog({ action, rows, onClose }: { action: BulkAction<never>; rows: never[]; onClose: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { results, isStarted, isRunning, run, stop } = useRun(action, rows);
  useUnsavedGuard();
  const isReady = !action.text || text.trim() !== '';
  const finished = results.filter((result) => result !== 'waiting' && result !== 'running').length;
  const all = rows.length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(text.trim());
  };
  return (
    <Dialog title={action.label} onClose={onClose}>
      <form onSubmit={submit} data-sent={isStarted}>
        <Stack gap="md">
          <Text size="sm">{action.description}</Text>
          {action.text && !isStarted && (
            <Textarea
              label={action.text.label}
              maxLength={action.text.maxLength}
              required
              autosize
              minRows={2}
              data-autofocus
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
          {isStarted && (
            <div>
              <Progress value={(finished / all) * 100} aria-label={action.label} mb={4} />
              <Text size="sm" c="dimmed" role="status">{t`${finished} of ${all}`}</Text>
            </div>
          )}
          <ul className={classes.results}>
            {rows.map((row, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a dialog stay in their order.
              <li key={n} className={classes.result}>
                <span>{action.nameOf(row)}</span>
                <ResultOf result={results[n] ?? 'waiting'} isStarted={isStarted} />
              </li>
            ))}
          </ul>
          <Group justify="flex-end" gap="xs">
            {isRunning ? (
              <Button variant="default" onClick={stop}>{t`Stop`}</Button>
            ) : (
              <Button variant="default" onClick={onClose}>
                {isStarted ? t`Close` : t`Cancel`}
              </Button>
            )}
            {!isStarted && (
              <Button type="submit" disabled={!isReady}>
                {action.label}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function ResultOf({ result, isStarted }: { result: Result; isStarted: boolean }) {
  const { t } = useLingui();
  if (typeof result === 'object') {
    return (
      <Text size="sm" c="red" component="span">
        {result.refusal}
      </Text>
    );
  }
  if (result === 'waiting') return isStarted ? <Status value={t`Not done`} tone="gray" /> : null;
  const texts = { running: t`Running`, done: t`Done`, sent: t`Sent for approval` };
  return <Status value={texts[result]} tone={result === 'done' ? 'kissi' : 'blue'} />;
}

/** Each row keeps its own answer: a refusal of one does not keep the others from being done. */
function useRun(action: BulkAction<never>, rows: never[]) {
  const [results, setResults] = useState<Result[]>(rows.map(() => 'waiting'));
  const [state, setState] = useState<'asked' | 'running' | 'finished'>('asked');
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  useEffect(() => stop, [stop]);
  const note = (index: number, result: Result) => setResults((old) => old.with(index, result));
  const run = async (text: string) => {
    if (state !== 'asked') return;
    isStopped.current = false;
    setState('running');
    for (const [index, row] of rows.entries()) {
      if (isStopped.current) break;
      note(index, 'running');
      note(index, await outcome(() => action.call(kissi, row, text)));
    }
    setState('finished');
    await readAgain();
  };
  return { results, isStarted: state !== 'asked', isRunning: state === 'running', run, stop };
}

async function outcome(call: () => ReturnType<(client: Kissi) => PromiseLike<unknown>>): Promise<Result> {
  try {
    return needsApproval(await call()) ? 'sent' : 'done';
  } catch (error) {
    return { refusal: error instanceof KissiError || error instanceof Error ? error.message : String(error) };
  }
}
