// Whether the main dialog of a screen is open. ?open=true in the address opens it, for the commands of the search.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

export function useOpened() {
  const navigate = useNavigate();
  const { open } = useSearch({ strict: false }) as { open?: string };
  const state = useState(false);
  const [, setOpen] = state;
  useEffect(() => {
    if (open !== 'true') return;
    setOpen(true);
    // Going back or loading the page again does not open it once more.
    void navigate({
      to: '.',
      search: (({ open: _, ...rest }: Record<string, string>) => rest) as never,
      replace: true,
    });
  }, [open, navigate]);
  return state;
}
