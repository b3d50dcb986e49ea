// What a user can do with a record: buttons, a menu of the rarer choices, and the dialog of the chosen one.
import { useLingui } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { ReasonAction, type ReasonActionProps } from './reason-action.tsx';
import { DANGER_TEXT } from './theme.ts';
import { useOpened } from './use-opened.ts';

export interface Choice {
  /** Unique among the choices of a record. */
  label: string;
  /** For screen readers, where several buttons on the screen have the same label. */
  name?: string;
  /** The dialog of a change with at most a reason. */
  action?: Omit<ReasonActionProps<unknown>, 'onClose'>;
  /** Any other dialog. */
  dialog?: (onClose: () => void) => ReactNode;
  icon?: IconName;
  look?: 'primary' | 'danger';
  disabled?: boolean;
}

/** False: the user may not choose it now. */
export type Offered = Choice | false;

export function Choices({ buttons = [], more = [] }: { buttons?: Offered[]; more?: Offered[] }) {
  const { t } = useLingui();
  const [chosen, choose] = useState<Choice | null>(null);
  const close = () => choose(null);
  const isOffered = (each: Offered) => each !== false;
  const [shown, rare] = [buttons.filter(isOffered), more.filter(isOffered)];
  // The change itself may take the choice away, such as "Suspend"; its dialog stays until it is closed.
  const opened = chosen && ([...shown, ...rare].find(({ label }) => label === chosen.label) ?? chosen);
  const appearance = ({ icon, look }: Choice) => ({
    ...(icon ? { leftSection: <Icon name={icon} size={16} /> } : {}),
    ...(look === 'danger' ? { c: DANGER_TEXT } : {}),
  });
  return (
    <>
      {shown.map((each) => (
        <Button
          key={each.label}
          variant={each.look === 'primary' ? 'filled' : 'default'}
          disabled={each.disabled ?? false}
          {...(each.name ? { 'aria-label': each.name } : {})}
          onClick={() => choose(each)}
          {...appearance(each)}
        >
          {each.label}
        </Button>
      ))}
      {rare.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="chevronDown" size={14} />}>{t`More`}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {rare.map((each) => (
              <Menu.Item key={each.label} onClick={() => choose(each)} {...appearance(each)}>
                {each.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Suspense>
        {opened?.action && <ReasonAction {...opened.action} onClose={close} />}
        {opened?.dialog?.(close)}
      </Suspense>
    </>
  );
}

/** The button of a list that makes a new record. */
export function NewRecord({ label, dialog }: Required<Pick<Choice, 'label' | 'dialog'>>) {
  const [isOpen, setOpen] = useOpened();
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense>{isOpen && dialog(() => setOpen(false))}</Suspense>
    </>
  );
}
