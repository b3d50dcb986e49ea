// Icons: lines of 2 pixels on 24, in the colour of the text.
const PATHS = {
  send: 'M5 12h13M12 5l7 7-7 7',
  scan: 'M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M4 12h16',
  ask: 'M19 12H6M12 5l-7 7 7 7',
  cash: 'M3 7h18v10H3zM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M6 7v0M18 17v0',
  more: 'M4 7h16M4 12h16M4 17h16',
  back: 'M15 5l-7 7 7 7',
  on: 'M9 6l6 6-6 6',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  wrong: 'M12 8v5M12 16.5v.1M12 3l9.5 17h-19z',
  wait: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  card: 'M3 6h18v12H3zM3 10h18M6.5 15h4',
  phone: 'M7 3h10v18H7zM11 18h2',
  list: 'M8 6h12M8 12h12M8 18h12M4 6v0M4 12v0M4 18v0',
  paper: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4',
  out: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  inbox: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
