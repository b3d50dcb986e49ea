// Chooses the language before the login.
import { useLingui } from '@lingui/react';
import { SegmentedControl } from '@mantine/core';
import { LANGUAGES, type Language, setLanguage } from '../app/language.ts';

export function LanguageSwitch() {
  const { i18n } = useLingui();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Language"
      value={i18n.locale}
      onChange={(code) => void setLanguage(code as Language)}
      data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
    />
  );
}
