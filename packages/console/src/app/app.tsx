// The console: the login, or the screens of the user who is logged in.
import { I18nProvider } from '@lingui/react';
import { useLingui } from '@lingui/react/macro';
import { MantineProvider, Text } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { queryClient } from '../api/queries.ts';
import { resumeSession, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { lazyPart } from '../components/lazy-part.ts';
import { LoadBoundary } from '../components/load-boundary.tsx';
import { clearNotices, Notices } from '../components/notices.tsx';
import { overlay } from '../components/overlay.ts';
import { theme } from '../components/theme.ts';
import '../components/title.ts';
import { IdleLock } from '../session/idle-lock.tsx';
import { LoginPage } from '../session/login-page.tsx';
import { i18n } from './language.ts';
import { makeRouter } from './router.tsx';

const router = makeRouter();
/** The policy of the page admits only style elements with this value. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
// The name under which the library that keeps the page from scrolling below a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

// Nothing of a user is left for the next one: the screens are removed with the session, and this is kept outside them.
session.subscribe(() => {
  if (session.get().kind !== 'out') return;
  overlay.set(null);
  clearNotices();
  queryClient.clear();
});

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <LoadBoundary>
            <Content />
          </LoadBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}

const RequiredStep = lazyPart(() => import('../screens/account/required-step.tsx'));

function Content() {
  const state = useStore(session);
  useEffect(() => {
    void resumeSession();
  }, []);
  if (state.kind === 'starting') return state.isUnreachable ? <Unreachable /> : null;
  if (state.kind === 'out') return <LoginPage />;
  return (
    <IdleLock>
      {/* Inside of the lock: a screen that cannot be shown does not end it. */}
      <LoadBoundary>
        {state.restriction ? (
          <Suspense>
            <RequiredStep restriction={state.restriction} />
          </Suspense>
        ) : (
          <RouterProvider router={router} />
        )}
      </LoadBoundary>
      <Notices />
    </IdleLock>
  );
}

function Unreachable() {
  const { t } = useLingui();
  return (
    <main>
      <Text
        role="status"
        p="lg"
      >{t`The service cannot be reached. The console opens when the connection is back.`}</Text>
    </main>
  );
}
