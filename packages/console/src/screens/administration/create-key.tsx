// Creates an API key for a bank, a merchant or a program of the operator. Its secrets are shown once.
import { Trans, useLingui } from '@lingui/react/macro';
import { Checkbox, SegmentedControl, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Action } from '../../components/action.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { readAmount } from '../../format/money.ts';
import { LIMITED, type Owner, SCOPES, USUAL } from './scopes.ts';
import { useShowKey } from './show-key.ts';

export function CreateKey({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const showKey = useShowKey();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState<Owner>('operator');
  const [ownerId, setOwnerId] = useState<string | null>(null);
  const [scopes, setScopes] = useState<string[]>([]);
  const [expires, setExpires] = useState('');
  const [limit, setLimit] = useState('');
  const isLimited = scopes.some((scope) => LIMITED.includes(scope));
  const dailyLimit = readAmount(limit);
  const isOwnerReady = owner === 'operator' || ownerId !== null;
  const choose = (next: Owner) => {
    setOwner(next);
    setOwnerId(null);
    setScopes(USUAL[next]);
  };
  const offered = SCOPES.filter(({ only }) => !only || only === owner);
  return (
    <Action
      onClose={onClose}
      title={t`New API key`}
      submitLabel={t`Create the key`}
      isReady={name.trim() !== '' && scopes.length > 0 && isOwnerReady && (!isLimited || dailyLimit !== null)}
      call={(client) =>
        client.apiKeys.create({
          name: name.trim(),
          scopes,
          ...(owner === 'partner' && ownerId ? { partner_id: ownerId } : {}),
          ...(owner === 'processor' && ownerId ? { processor_id: ownerId } : {}),
          ...(isLimited && dailyLimit !== null ? { daily_limit: dailyLimit } : {}),
          ...(expires ? { expires_at: `${expires}T23:59:59Z` } : {}),
        })
      }
      doneMessage={t`The key was created.`}
      changes={['api-keys']}
      showsSecret
      onDone={(reply) => {
        showKey(reply);
        if ('api_key' in reply) void navigate({ to: `/keys/${reply.api_key.id}` });
      }}
    >
      <TextInput
        label={t`Name`}
        placeholder={t`Core banking`}
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <SegmentedControl
        aria-label={t`Whom the key acts for`}
        value={owner}
        onChange={(value) => choose(value as Owner)}
        data={[
          { value: 'operator', label: t`Operator` },
          { value: 'partner', label: t`Partner` },
          { value: 'processor', label: t`Merchant` },
        ]}
      />
      {owner !== 'operator' && <OwnerSelect key={owner} kind={owner} value={ownerId} onChange={setOwnerId} />}
      <Checkbox.Group
        label={t`Scopes`}
        description={t`Give only what the system needs. Scopes cannot be added later.`}
        value={scopes}
        onChange={setScopes}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {offered.map(({ scope, about }) => (
            <Checkbox key={scope} value={scope} label={scope} description={about} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      {isLimited && (
        <div>
          <MoneyInput label={t`Daily limit`} value={limit} onChange={setLimit} />
          <Text size="xs" c="dimmed" mt={4}>
            <Trans>What the key may move in one day (UTC). It can be reduced later, but not raised.</Trans>
          </Text>
        </div>
      )}
      <DateInput
        label={t`Expires at the end of (UTC)`}
        description={t`Leave it empty for a key that does not expire.`}
        value={expires}
        onChange={setExpires}
      />
    </Action>
  );
}

interface OwnerSelectProps {
  kind: 'partner' | 'processor';
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Searches by name at the service: there can be thousands of merchants. */
function OwnerSelect({ kind, value, onChange }: OwnerSelectProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { data, isFetching } = useRead(
    [kind === 'partner' ? 'partners' : 'processors', 'choice', kind === 'partner' ? '' : text],
    (options) => ownersOf(kind, text, options),
    { keepPrevious: true },
  );
  return (
    <Select
      label={kind === 'partner' ? t`Partner` : t`Merchant`}
      placeholder={t`Type a name`}
      required
      searchable
      data={data ?? []}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
      nothingFoundMessage={isFetching ? t`Searching` : t`Nothing found`}
    />
  );
}

async function ownersOf(kind: OwnerSelectProps['kind'], text: string, options: { signal: AbortSignal }) {
  if (kind === 'partner') {
    const { partners } = await kissi.partners.list({ limit: 100 }, options);
    return partners.map(({ id, name }) => ({ value: id, label: name }));
  }
  const query = { limit: 50, ...(text.trim() ? { search: text.trim() } : {}) };
  const { processors } = await kissi.processors.list(query, options);
  return processors.map(({ id, business_name }) => ({ value: id, label: business_name }));
}
