// Parts of screens: fields, facts, notes, lists and what is still loading.
import { t } from '@lingui/core/macro';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Load } from '../data/load.ts';
import { explain } from '../errors.ts';
import { Icon, type IconName } from './icon.tsx';
import { Link } from './screen.tsx';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** Why it was not accepted. */
  error?: string | null | undefined;
  value: string;
  onValue(text: string): void;
  prefix?: string;
  type?: 'tel';
  inputMode?: 'numeric' | 'decimal';
  autocomplete?: 'tel' | 'one-time-code';
  maxLength?: number;
  class?: string;
}

export function Field({ label, hint, error, value, onValue, prefix, ...input }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class={prefix ? 'prefixed' : undefined}>
        {prefix && <span aria-hidden="true">{prefix}</span>}
        <input
          id={id}
          autocomplete="off"
          {...(input as object)}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-more`}
        />
      </div>
      <p id={`${id}-more`} class={error ? 'fault' : 'quiet'} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  );
}

interface SwitchProps {
  name: string;
  text?: string;
  isOn: boolean;
  isBusy?: boolean;
  onChange(isOn: boolean): void;
}

export function Switch({ name, text, isOn, isBusy = false, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <span>
        {name}
        {text && <small>{text}</small>}
      </span>
      <input
        type="checkbox"
        checked={isOn}
        disabled={isBusy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

/** Several lines. */
export function TextField({ label, error, value, onValue }: Pick<FieldProps, 'label' | 'error' | 'value' | 'onValue'>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={2000}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-more`}
      />
      <p id={`${id}-more`} class="fault" role={error ? 'alert' : undefined}>
        {error}
      </p>
    </div>
  );
}

/** Names and values; without a value the line is left out. */
export function Facts({ lines }: { lines: [name: string, value: ComponentChildren][] }) {
  const shown = lines.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="card">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Fault({ error }: { error: unknown }) {
  return <div role="alert">{error ? <p class="note fault">{explain(error)}</p> : null}</div>;
}

/** Content that is read from the service. */
export function Loaded<Data>({ load, children }: { load: Load<Data>; children: (data: Data) => ComponentChildren }) {
  const { data, error, reload } = load;
  return (
    <>
      {error ? (
        <div class="card" role="alert">
          <p>{explain(error)}</p>
          <button type="button" class="second" onClick={reload}>{t`Try again`}</button>
        </div>
      ) : null}
      {data ? children(data) : !error && <p class="waiting" role="status">{t`Loading …`}</p>}
    </>
  );
}

export function LinkRow({
  to,
  icon,
  title,
  text,
  end,
}: {
  to: string;
  icon: IconName;
  title: string;
  text?: string;
  end?: ComponentChildren;
}) {
  return (
    <Link to={to} class="row">
      <Icon name={icon} />
      <span class="grow">
        <strong>{title}</strong>
        {text && <small>{text}</small>}
      </span>
      {end ?? <Icon name="on" />}
    </Link>
  );
}

export function Big({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class={`big ${icon}`} role="status">
      <span class="disc">
        <Icon name={icon} />
      </span>
      <p class="amount">{title}</p>
      {children}
    </div>
  );
}
