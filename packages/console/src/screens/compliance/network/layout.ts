// Places the accounts of a payment network: payers on the left, the subject in the middle, payees on the right.
import type { NetworkLink, NetworkNode, PaymentNetwork } from '@kissi/client';

export interface Placed {
  node: NetworkNode;
  side: 'left' | 'middle' | 'right';
  x: number;
  y: number;
  /** All payments with the subject, in minor units. */
  value: number;
}

export interface Line {
  key: string;
  link: NetworkLink;
  path: string;
  width: number;
  /** Between two counterparties, not with the subject. */
  isAmongOthers: boolean;
}

export interface Layout {
  height: number;
  placed: Placed[];
  lines: Line[];
  /** Counterparties that did not fit. */
  hidden: number;
}

const ROW = 34;
const PADDING = 28;
const WIDEST = 10;
const THINNEST = 1.25;

/** The same network always has the same picture. `labelWidth`: room for names at both edges. */
export function layoutOf(network: PaymentNetwork, width: number, labelWidth: number, mostPerSide: number): Layout {
  const { left, right, hidden } = sidesOf(network, mostPerSide);
  const rows = Math.max(left.length, right.length, 3);
  const height = rows * ROW + PADDING * 2;
  const subject = network.nodes.find(({ is_subject }) => is_subject);
  const column = (nodes: NetworkNode[], side: 'left' | 'right'): Placed[] => {
    const top = (height - nodes.length * ROW) / 2 + ROW / 2;
    const x = side === 'left' ? labelWidth : width - labelWidth;
    return nodes.map((node, n) => ({ node, side, x, y: top + n * ROW, value: totalOf(node) }));
  };
  const middle: Placed[] = subject ? [{ node: subject, side: 'middle', x: width / 2, y: height / 2, value: 0 }] : [];
  const placed = [...middle, ...column(left, 'left'), ...column(right, 'right')];
  return { height, placed, lines: linesOf(network, placed), hidden };
}

/** An account on both sides is drawn where more money moved. */
function sidesOf({ nodes }: PaymentNetwork, mostPerSide: number) {
  const others = nodes.filter(({ is_subject }) => !is_subject).sort((a, b) => totalOf(b) - totalOf(a));
  const pays = (node: NetworkNode) => (node.paid_to_subject?.value ?? 0) > (node.paid_by_subject?.value ?? 0);
  const left = others.filter(pays).slice(0, mostPerSide);
  const right = others.filter((node) => !pays(node)).slice(0, mostPerSide);
  return { left, right, hidden: others.length - left.length - right.length };
}

export const totalOf = ({ paid_by_subject, paid_to_subject }: NetworkNode) =>
  (paid_by_subject?.value ?? 0) + (paid_to_subject?.value ?? 0);

function linesOf({ links }: PaymentNetwork, placed: Placed[]): Line[] {
  const byId = new Map(placed.map((place) => [place.node.id, place]));
  const most = Math.max(1, ...links.map(({ value = 0 }) => value));
  return links.flatMap((link) => {
    const [from, to] = [byId.get(link.from), byId.get(link.to)];
    if (!from || !to || from === to) return [];
    const isAmongOthers = from.side !== 'middle' && to.side !== 'middle';
    const share = Math.sqrt((link.value ?? 0) / most);
    const width = isAmongOthers ? THINNEST : THINNEST + share * (WIDEST - THINNEST);
    return [{ key: `${link.from} ${link.to}`, link, path: pathOf(from, to), width, isAmongOthers }];
  });
}

/** A curve that leaves and arrives level. Between accounts of one side it bends towards the middle. */
function pathOf(from: Placed, to: Placed): string {
  if (from.side === to.side) {
    const bend = from.x + (from.side === 'left' ? 1 : -1) * Math.min(90, 24 + Math.abs(from.y - to.y) / 3);
    return `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${to.x} ${to.y}`;
  }
  // Payments in both directions would lie on each other.
  const shift = from.side === 'middle' ? 3 : -3;
  const [x1, y1, x2, y2] = [from.x, from.y + shift, to.x, to.y + shift];
  const half = (x1 + x2) / 2;
  return `M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`;
}
