// The choice of the language.
import { t } from '@lingui/core/macro';
import { LANGUAGES, type Language, language, setLanguage } from '../language.ts';
import { useFrame } from '../screens/frame.ts';

export function Languages({ onChoice }: { onChoice?: (language: Language) => void }) {
  const { redraw } = useFrame();
  const choose = async (next: Language) => {
    // Without a connection the language stays as it is.
    await setLanguage(next).catch(() => undefined);
    redraw();
    onChoice?.(next);
  };
  return (
    <fieldset class="choice">
      <legend class="unseen">{t`Language`}</legend>
      {(Object.keys(LANGUAGES) as Language[]).map((each) => (
        <label key={each} lang={each}>
          <input type="radio" name="language" checked={each === language()} onChange={() => void choose(each)} />
          <span>{LANGUAGES[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}
