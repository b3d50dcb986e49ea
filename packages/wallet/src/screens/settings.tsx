// The language, and which messages the customer gets.
import { t } from '@lingui/core/macro';
import { Languages } from '../ui/languages.tsx';
import { Screen } from '../ui/screen.tsx';

export function Settings() {
  return (
    <Screen title={t`Messages and language`}>
      <Languages />
    </Screen>
  );
}
