// The icons of the console: simple lines of one weight.

const PATHS = {
  alert: 'M12 4 2.5 20h19zM12 10v4m0 3v.01',
  approve: 'm5 12.5 4.5 4.5L19 7.5',
  arrowDown: 'M12 5v14m-6-6 6 6 6-6',
  arrowRight: 'M5 12h14m-6-6 6 6-6 6',
  arrowUp: 'M12 19V5m-6 6 6-6 6 6',
  bank: 'M3 10 12 4l9 6M4 20h16M6 10v7m4-7v7m4-7v7m4-7v7',
  card: 'M3 6.5h18v11H3zM3 10.5h18M6.5 14.5h4',
  chart: 'M4 4v16h16M8 16v-4m4 4V8m4 8v-6',
  chevronDown: 'm6 9 6 6 6-6',
  chevronLeft: 'm15 6-6 6 6 6',
  chevronRight: 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  customers:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .7 3.2 2.5 3.5 5.5',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6m-6 4h6',
  download: 'M12 4v11m-5-5 5 5 5-5M4 20h16',
  exchange: 'M4 8h15m-4-4 4 4-4 4M20 16H5m4-4-4 4 4 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  inbox: 'M4 13 6.5 4h11L20 13v7H4zM4 13h5a3 3 0 0 0 6 0h5',
  key: 'M14.5 13.5a5 5 0 1 0-4-4L3 17v4h4v-3h3v-3h2z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  logout: 'M14 4H5v16h9M10 12h11m-4-4 4 4-4 4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  merchant:
    'M4 9l1.5-5h13L20 9M4 9v11h16V9M4 9a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0A2.7 2.7 0 0 0 20 9M10 20v-6h4v6',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5',
  more: 'M5 12v.01M12 12v.01M19 12v.01',
  network: 'M12 8V4M6 20v-3a3 3 0 0 1 3-3h6a3 3 0 0 1 3 3v3M12 8v6M10 4h4v4h-4zM4 17h4v4H4zM16 17h4v4h-4z',
  offline: 'M3 3l18 18M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.4M19 12a10 10 0 0 0-6-2.9M12 19v.01',
  partner: 'M12 3 4 6v6c0 4.5 3.2 7.6 8 9 4.800-1.400 8-4.500 8-9V6zM9 12l2 2 4-4',
  phone: 'M8 3h8v18H8zM11.500 18h1',
  plus: 'M12 5v14M5 12h14',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2m4-2v2m-6 4h2m2-2h2v2',
  refresh: 'M20 11a8 8 0 1 0-2.300 6.700M20 5v6h-6',
  scale: 'M12 4v16M7 20h10M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
  search: 'M10.5 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M15.500 15.500 20 20',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.500v5M9 14.500v5',
  share: 'M12 15V4m-4 4 4-4 4 4M6 12v8h12v-8',
  shield: 'M12 3 4 6v6c0 4.500 3.200 7.600 8 9 4.800-1.400 8-4.500 8-9V6z',
  star: 'm12 4 2.500 5.200 5.500.800-4 4 1 5.600-5-2.700-5 2.700 1-5.600-4-4 5.500-.800z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.500 1.500m11 11L19 19M19 5l-1.500 1.500m-11 11L5 19',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c.5-4.500 3.500-7 8-7s7.500 2.500 8 7',
  wallet: 'M4 7h15v12H4zM4 7l11-4v4M15.500 13v.01',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration only: the text or label beside it says what it means. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
