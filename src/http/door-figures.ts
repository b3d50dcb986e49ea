// How full the house is: requests inside, waiting and sent away at each door, and connections.
import type { Server } from 'node:http';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { Figures } from '../kernel/figures.ts';
import type { Door } from './door.ts';
import { Guests } from './guests.ts';
import type { Doors } from './row.ts';

export function watchDoors(figures: Figures, doors: Doors): void {
  const add = (
    name: string,
    type: 'gauge' | 'counter',
    help: string,
    read: (state: ReturnType<Door['state']>) => number,
  ) =>
    figures.add({
      ...{ name, type, help },
      samples: () => Object.entries(doors).map(([door, it]) => ({ labels: { door }, value: read(it.state()) })),
    });
  add('kissi_http_inside', 'gauge', 'Requests being served, by the door they came in.', ({ inside }) => inside);
  add('kissi_http_inside_limit', 'gauge', 'Requests that are served at once at most.', ({ limit }) => limit);
  add('kissi_http_waiting', 'gauge', 'Requests that wait to be let in.', ({ waiting }) => waiting);
  add('kissi_http_shed_total', 'counter', 'Requests sent away unbegun, with 503.', ({ turnedAway }) => turnedAway);
}

/** Longer than any request takes: who does not read an answer for so long keeps neither it nor the connection. */
const STILL_MS = 2 * MINUTE_MS;

/** Beyond so many connections a further one is closed as it is opened, or one that is idle closed for it. */
export function limitConnections(figures: Figures, server: Server, limit: number): void {
  const guests = new Guests(limit);
  // One more than there is room for has to come in, to see whose place it may have.
  server.maxConnections = limit + 1;
  server.setTimeout(STILL_MS);
  const refused = figures.counter({
    name: 'kissi_http_connections_refused_total',
    help: 'Connections closed because there were too many.',
  });
  server.on('drop', () => {
    refused.value += 1;
  });
  server.on('connection', (socket) => {
    const leaving = guests.receive(socket);
    if (!leaving) return;
    refused.value += 1;
    leaving.destroy();
  });
  figures
    .gauge({ name: 'kissi_http_connections', help: 'Connections of clients that are open.' })
    .readBy(() => new Promise((resolve) => server.getConnections((error, count) => resolve(error ? null : count))));
}
