// A dialog that makes one change, with the same call as a curl command.
import { ActionForm } from './action-form.tsx';
import { CopyCurl } from './copy-curl.tsx';
import { Dialog } from './dialog.tsx';
import { type ActionProps, useCall } from './use-call.ts';

export function Action<Reply>(props: ActionProps<Reply>) {
  const { onClose, title, isReady = true, call, isSecret } = props;
  const state = useCall(props);
  return (
    <Dialog onClose={onClose} title={title}>
      <ActionForm
        action={props}
        state={state}
        aside={isSecret ? <span /> : <CopyCurl call={call} disabled={!isReady} />}
      />
    </Dialog>
  );
}
