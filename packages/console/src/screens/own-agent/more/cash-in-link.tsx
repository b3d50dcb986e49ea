// Opens a cash-in for a customer who was just served. The number is not in the address, which proxies log.
import { useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function CashInLink({ number, primary = false }: { number: string | undefined; primary?: boolean }) {
  const { t } = useLingui();
  return (
    <Button
      size="lg"
      variant={primary ? 'filled' : 'default'}
      component={Link}
      to="/agent/cash-in"
      state={{ number } as never}
    >
      {t`Cash in`}
    </Button>
  );
}
