// Everything that is not on the home screen.
import { t } from '@lingui/core/macro';
import { goHome } from '../router.ts';
import { LinkRow } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useFrame } from './frame.ts';

export function More() {
  const { leave } = useFrame();
  const logOut = () => {
    leave();
    goHome();
  };
  return (
    <Screen title={t`More`} action={t`Log out`} onAction={logOut}>
      <div class="card rows">
        <LinkRow to="/transactions" icon="list" title={t`Transactions`} text={t`With their receipts`} />
        <LinkRow to="/requests" icon="inbox" title={t`Requests`} text={t`To you, and yours to others`} />
        <LinkRow to="/problems" icon="wrong" title={t`Problems`} text={t`Report one, ask for money back, answer`} />
        <LinkRow to="/statement" icon="paper" title={t`Statement`} text={t`A month as a file`} />
      </div>
      <div class="card rows">
        <LinkRow to="/cards" icon="card" title={t`Cards`} text={t`Block a lost card`} />
        <LinkRow to="/devices" icon="phone" title={t`Phones`} text={t`Remove a lost phone`} />
        <LinkRow to="/pin" icon="lock" title={t`Change the PIN`} />
        <LinkRow to="/settings" icon="bell" title={t`Messages and language`} />
      </div>
    </Screen>
  );
}
