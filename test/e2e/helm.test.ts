import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const CHART = 'examples/deploy/helm';
/** Where `scripts/install-test-tools.sh` puts the tools, and the schemas of Kubernetes. */
const TOOLS = join(import.meta.dirname, '../../node_modules/.cache/tollgate-helm');
const SCHEMAS = join(TOOLS, 'kubernetes_validate/kubernetes-json-schema/v1.31.0-local-strict');
const areHere = ['bin/helm', 'bin/kubeconform'].every(tool => existsSync(join(TOOLS, tool))) && existsSync(SCHEMAS);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-helm-'));
  if (areHere) writeSchemas();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The schemas refer to one file with all definitions, by a path that only their own tool resolves. */
function writeSchemas(): void {
  const read = (name: string) => {
    const text = readFileSync(join(SCHEMAS, `${name}.json`), 'utf8').replaceAll('/api/_definitions.json#', '#');
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  const { $defs } = read('_definitions');
  for (const name of ['configmap-v1', 'deployment-apps-v1', 'persistentvolumeclaim-v1', 'service-v1']) {
    const { $id, ...schema } = read(name);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...schema, $defs }));
  }
}

function rendered(...options: readonly string[]): string {
  const args = ['template', 'edge', CHART, ...options];
  const { status, stdout, stderr } = spawnSync(join(TOOLS, 'bin/helm'), args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

it.skipIf(!areHere)('helm finds nothing wrong with the chart', () => {
  const { status, stdout } = spawnSync(join(TOOLS, 'bin/helm'), ['lint', '--strict', CHART], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('0 chart(s) failed') });
});

it.skipIf(!areHere).each([
  ['PostgreSQL', [], ['ConfigMap', 'Deployment', 'Service'], 2],
  [
    'a volume',
    ['--set', 'volume.enabled=true,replicas=3'],
    ['ConfigMap', 'Deployment', 'PersistentVolumeClaim', 'Service'],
    1,
  ],
  [
    'settings',
    ['--set', 'settings.rateLimit=60,settings.publicUrl=https://edge.example'],
    ['ConfigMap', 'Deployment', 'Service'],
    2,
  ],
])('the chart renders resources that Kubernetes takes: with %s', (_, options, kinds, replicas) => {
  const text = rendered(...options);
  const file = join(folder, 'resources.yaml');
  writeFileSync(file, text);
  const schemas = join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const args = ['-strict', '-summary', '-schema-location', schemas, file];
  const { status, stdout } = spawnSync(join(TOOLS, 'bin/kubeconform'), args, { encoding: 'utf8' });
  const valid = `Valid: ${kinds.length}, Invalid: 0, Errors: 0, Skipped: 0`;
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(valid) });
  const resources = parseAllDocuments(text).map(document => document.toJS());
  expect(resources.map(({ kind }) => kind).sort()).toEqual(kinds);
  expect(resources.find(({ kind }) => kind === 'Deployment').spec.replicas).toBe(replicas);
});

it.skipIf(areHere)(
  'is skipped: helm, kubeconform or the schemas are not installed; run scripts/install-test-tools.sh',
  () => undefined,
);
