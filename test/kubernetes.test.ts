// The manifests of deploy/kubernetes: valid, complete, and true to the service that they run.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { loadConfig } from '../src/kernel/config/config.ts';
import { type Manifest, manifestFaults, readManifests } from './support/kubernetes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'deploy/kubernetes');
const read = (path: string) => readFile(join(FOLDER, path), 'utf8');

const files = (await Array.fromAsync(glob('**/*.yaml', { cwd: FOLDER }))).sort();
const kustomizations = files.filter((path) => path.endsWith('kustomization.yaml'));
const manifests = (
  await Promise.all(
    files.filter((path) => !kustomizations.includes(path)).map((path) => readManifests(join(FOLDER, path))),
  )
).flat();

function find(kind: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  assert.equal(found.length, 1, `manifests of the kind ${kind}`);
  return found[0] as Manifest;
}

const deployment = find('Deployment');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const job = find('Job').spec.template.spec;
const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy') as Manifest;

/** A copy with one field set to another value. */
function changed(manifest: Manifest, path: string, value: unknown): Manifest {
  const copy = structuredClone(manifest);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let target = copy as Record<string, unknown>;
  for (const key of keys) target = target[key] as Record<string, unknown>;
  target[last] = value;
  return copy;
}

describe('the schemas of Kubernetes', () => {
  test('accept every manifest', async () => {
    const kinds = manifests.map(({ kind }) => kind);
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy', 'Job', 'Gateway', 'HTTPRoute'])
      assert.ok(kinds.includes(kind), kind);
    const faults = await manifestFaults(manifests);
    assert.deepEqual(faults.flat(), []);
  });

  test('refuse a misspelt, a missing and a wrong field, however deep', async () => {
    const wrong = [
      changed(deployment, 'spec.replica', 2),
      changed(deployment, 'spec.selector', undefined),
      changed(deployment, 'spec.replicas', '2'),
      changed(deployment, 'spec.template.spec.containers.0.readinessProbe.httpGet.paths', '/health/ready'),
      changed(deployment, 'spec.template.spec.containers.0.securityContext.readOnlyRootFileSystem', true),
      changed(find('PodDisruptionBudget'), 'spec.minimumAvailable', 1),
      changed(policy, 'spec.egres', []),
      changed(find('Gateway'), 'spec.listeners.0.protocols', 'HTTP'),
      changed(find('Gateway'), 'spec.listeners.0.port', 100_000),
    ];
    const faults = await manifestFaults(wrong);
    for (const [index, found] of faults.entries()) assert.ok(found.length > 0, `fault ${index} was not found`);
  });
});

describe('kustomizations', () => {
  for (const path of kustomizations) {
    test(`${path} names files that exist, and secrets that have an example`, async () => {
      const { resources, configMapGenerator = [], secretGenerator } = parse(await read(path));
      const exists = (name: string) => access(join(FOLDER, dirname(path), name));
      const siblings = files.filter((file) => dirname(file) === dirname(path) && file !== path);
      assert.deepEqual(resources.map((name: string) => join(dirname(path), name)).sort(), siblings);
      for (const { envs } of configMapGenerator) for (const name of envs) await exists(name);
      for (const { files: secrets } of secretGenerator)
        for (const name of secrets.filter((each: string) => each.endsWith('.env'))) await exists(`${name}.example`);
    });
  }

  test('run the version of this repository', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    for (const path of kustomizations) {
      const { images } = parse(await read(path));
      assert.deepEqual(images, [{ name: 'kissi', newName: 'registry.example.com/kissi', newTag: version }], path);
    }
  });

  test('generate every configuration and secret that a pod names', async () => {
    const texts = await Promise.all(kustomizations.map(async (path) => parse(await read(path))));
    const generated = (key: string) => texts.flatMap((each) => (each[key] ?? []).map(({ name }: Manifest) => name));
    const [settings, secrets] = [generated('configMapGenerator'), generated('secretGenerator')];
    for (const { configMapRef } of container.envFrom) assert.ok(settings.includes(configMapRef.name));
    for (const { secret } of [...pod.volumes, ...job.volumes].filter((volume) => volume.secret))
      assert.ok(secrets.includes(secret.secretName), secret.secretName);
  });
});

/** An example of an environment file as an operator fills it in. */
async function filledIn(path: string): Promise<NodeJS.Dict<string>> {
  let count = 0;
  const text = (await read(path)).replaceAll(/^([A-Z_]+=.*)<(?:secret|password)>/gm, (_, before) => {
    count += 1;
    return `${before}${hash('sha256', `${path} ${count}`)}`;
  });
  assert.ok(count > 0, path);
  const values = parseEnv(text);
  assert.doesNotMatch(Object.values(values).join('\n'), /[<>]/, 'a placeholder is left');
  return values;
}

describe('the service', () => {
  test('accepts the settings and secrets in production, and knows each of them', async () => {
    const settings = parseEnv(await read('gateways/settings.env'));
    const secrets = await filledIn('gateways/secrets/kissi.env.example');
    assert.deepEqual(
      Object.keys(settings).filter((name) => name in secrets),
      [],
    );
    const documented = await readFile(join(ROOT, 'docs/configuration.md'), 'utf8');
    for (const name of Object.keys({ ...settings, ...secrets }))
      assert.ok(documented.includes(`| \`${name}\` |`), name);
    const config = loadConfig({ APP_ENV: 'production', HOST: '0.0.0.0', PORT: '8080', ...settings, ...secrets });
    assert.equal(config.databaseAdminUrl, undefined, "a gateway must not know the owner's login");
    assert.equal(container.ports[0].containerPort, config.port);
    const migration = await filledIn('migrate/secrets/migrate.env.example');
    assert.deepEqual(Object.keys(migration), ['DATABASE_ADMIN_URL', 'DATABASE_URL']);
    loadConfig(migration);
    for (const url of [secrets.DATABASE_URL, migration.DATABASE_URL, migration.DATABASE_ADMIN_URL])
      assert.match(String(url), /sslmode=verify-full&sslrootcert=\/etc\/kissi\/db-ca\.pem$/);
  });

  test('is started as npm does, with its secrets from the mounted file', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const [, start = ''] = /\bnode (--.+ src\/main\.ts)$/.exec(scripts.start) ?? [];
    assert.deepEqual(container.command, ['node', '--env-file=/etc/kissi/kissi.env', ...start.split(' ')]);
    const [, migrate = ''] = /node (.+)$/.exec(scripts['db:migrate']) ?? [];
    assert.deepEqual(job.containers[0].command, ['node', '--env-file=/etc/kissi/migrate.env', migrate]);
    for (const { volumeMounts } of [container, job.containers[0]])
      assert.ok(volumeMounts.some(({ mountPath }: Manifest) => mountPath === '/etc/kissi'));
  });

  test('has the routes of the probes', async () => {
    const { paths } = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8'));
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      assert.ok(container[probe].httpGet.path in paths, probe);
    // A restart does not help against an outage of the database.
    assert.equal(container.livenessProbe.httpGet.path, '/health/live');
    assert.equal(container.readinessProbe.httpGet.path, '/health/ready');
  });

  test('has the time to stop that it needs, after the wait for the proxies', async () => {
    const [, milliseconds] =
      /STOP_TIMEOUT_MS = (\d+_\d+)/.exec(await readFile(join(ROOT, 'src/main.ts'), 'utf8')) ?? [];
    const stop = Number(milliseconds?.replace('_', '')) / 1000;
    const wait = Number(container.lifecycle.preStop.exec.command[1]);
    assert.ok(stop > 0 && wait > 0);
    assert.ok(pod.terminationGracePeriodSeconds > wait + stop, `${wait} + ${stop}`);
  });
});

describe('pods', () => {
  test('run as no root user, without capabilities, on a file system that they cannot write', () => {
    for (const { securityContext, containers, automountServiceAccountToken } of [pod, job]) {
      assert.equal(automountServiceAccountToken, false);
      assert.deepEqual([securityContext.runAsNonRoot, securityContext.seccompProfile.type], [true, 'RuntimeDefault']);
      for (const { securityContext: own } of containers)
        assert.deepEqual(own, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  test('have no secret in their description', () => {
    for (const { containers } of [pod, job]) {
      for (const { env, envFrom = [] } of containers) {
        assert.equal(env, undefined);
        for (const source of envFrom) assert.deepEqual(Object.keys(source), ['configMapRef']);
      }
    }
  });

  test('never all stop at once', () => {
    assert.ok(deployment.spec.replicas >= 2);
    assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
    const budget = find('PodDisruptionBudget').spec;
    assert.ok(budget.minAvailable >= 1 && budget.minAvailable < deployment.spec.replicas);
    const labels = deployment.spec.template.metadata.labels;
    for (const selector of [
      budget.selector.matchLabels,
      deployment.spec.selector.matchLabels,
      find('Service').spec.selector,
    ])
      assert.deepEqual(selector, labels);
    const spread = pod.topologySpreadConstraints.find(
      ({ topologyKey }: Manifest) => topologyKey === 'kubernetes.io/hostname',
    );
    assert.equal(spread.whenUnsatisfiable, 'DoNotSchedule');
  });
});
