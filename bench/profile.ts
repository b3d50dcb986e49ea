// The npm run bench:profile scenario: where the gateway spends its CPU time on a warm payment, by layer and by function.
import { type LayerOptions, layerTable, measureLayers } from './layers.ts';
import { sumBy } from './profile-layers.ts';
import { origin, type Scenario, table } from './runner.ts';
import { readKinds } from './sides.ts';

const FUNCTIONS = 40;

export const scenario: Scenario<'kind' | 'seconds' | 'connections' | 'other'> = {
  usage: `npm run bench:profile -- [--kind p2p] [--seconds 15] [--connections 128] [--other FAST_LANE=off]
The gateway's microseconds per payment by layer, from V8's CPU profile of a warm run.`,
  values: {
    kind: 'p2p, pos, refund, inbound or single',
    seconds: 'the length of the run',
    connections: 'a number',
    other: 'an environment variable of the service',
  },
  services: () => [],
  async measure(_benches, { values: { kind: given, seconds, connections, other = '' } }) {
    const [kind = ''] = readKinds(given);
    const [, name, value = ''] = /^(.+?)=(.*)$/.exec(other) ?? [];
    const options: LayerOptions = {
      kind,
      ...(seconds ? { seconds: Number(seconds) } : {}),
      ...(connections ? { connections: Number(connections) } : {}),
      ...(name ? { variables: { [name]: value } } : {}),
    };
    const layers = await measureLayers(options);
    const { cost, perSecond, errors, times } = layers;
    const functions = sumBy(times, ({ name, layer }) => `${name} (${layer})`).slice(0, FUNCTIONS);
    return [
      `# Where a payment's time goes: ${kind}, ${layers.connections} connections`,
      origin('npm run bench:profile', layers),
      `CPU time with the profiler on: gateway ${cost.gateway.toFixed(0)} µs, PostgreSQL ${cost.postgres.toFixed(0)} µs; ${perSecond}/s, ${errors} errors. The gateway's time is divided by the samples of its main thread.`,
      layerTable(layers),
      table(
        ['function', 'µs'],
        functions.map(([name, time]) => [name, time.toFixed(1)]),
      ),
    ].join('\n\n');
  },
};
