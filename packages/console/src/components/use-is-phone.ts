// Whether the window is as narrow as a phone.
import { useMediaQuery } from '@mantine/hooks';

export const useIsPhone = () => useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false });
