// The operator's name, as on its payment pages. The gateway writes it into the page.
const NAME = document.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content ?? 'Kissi';

export function Brand() {
  return (
    <p class="brand">
      <img src="/icon.svg" alt="" width="28" height="28" /> {NAME}
    </p>
  );
}
