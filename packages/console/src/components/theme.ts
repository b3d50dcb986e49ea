// Colours, sizes and defaults for all components.
import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** The green of the front page, from light to dark. */
const kissi: MantineColorsTuple = [
  '#eaf7f1',
  '#d3ece1',
  '#a8dac5',
  '#79c8a6',
  '#58cfa2',
  '#34a97b',
  '#218a62',
  '#14784f',
  '#0b6b4a',
  '#07523a',
];

/** Text colour for dangerous actions and values, readable in light and dark mode. */
export const DANGER_TEXT = 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))';

/** Mantine picks the primary buttons' text colour for light mode; in dark mode their green is too light for it. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isPrimary = !input.color || input.color === 'kissi';
  return input.variant === 'filled' && isPrimary
    ? { ...colors, color: 'var(--mantine-primary-color-contrast)' }
    : colors;
};

export const theme = createTheme({
  primaryColor: 'kissi',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  variantColorResolver,
  colors: { kissi },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // The placeholder is a focusable child, which a menu must not have; without it, the first item gets the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    TextInput: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
  },
});
