// Chooses the language before the login.
import { useLingui } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { LANGUAGES, setLanguage } from '../app/language.ts';

export function LanguageSwitch() {
  const { i18n, t } = useLingui();
  return (
    <Group gap={4} role="group" aria-label={t`Language`}>
      {LANGUAGES.map(({ code, name }) => (
        <Button
          key={code}
          size="sm"
          color={i18n.locale === code ? 'kissi' : 'gray'}
          variant={i18n.locale === code ? 'light' : 'subtle'}
          aria-pressed={i18n.locale === code}
          lang={code}
          onClick={() => void setLanguage(code)}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
