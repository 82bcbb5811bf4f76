import { TRACE_MEMBERS } from '@tollgate/reports/json';
import { expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

async function traced(...args: readonly string[]): Promise<unknown> {
  const input = 'connection: { client_ip: 203.0.113.7 }';
  const { output, errors } = await runCaptured(['trace', '--format', 'json', ...args], { input });
  expect(errors).toBe('');
  return JSON.parse(output);
}

/** Members whose own members are described in words, or elsewhere. */
const TOLD =
  /^(?:place|exchange|.*(?:range|document|error|before|after|notes\[\]|ending|value|headers|host|path|status|body|method|url)|logged\[\]|modules\[\]\.endings\[\])$/;

/** The paths of all members. Shapes that occur in several places are listed once, under their own name. */
function pathsIn(value: unknown, path: string, found: Set<string>): Set<string> {
  if (path !== '') found.add(path);
  if (TOLD.test(path)) return found;
  if (Array.isArray(value)) for (const item of value) pathsIn(item, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      pathsIn(member, shared(path === '' ? name : `${path}.${name}`), found);
  }
  return found;
}

function shared(path: string): string {
  const inner = path.replace(/^.*(?:^|\.)(?=(?:parts|changes)$)/, '');
  return inner.replace(/^rules\[\]\.(?:actions\[\]\.)?expressions\[\]\.(?!source$)/, 'parts[].');
}

it('contains exactly the members that are described', async () => {
  const policies = 'test/golden/trace';
  const documents = [
    await traced(`${policies}/unguarded.yaml`, '--url', 'https://e.co/admin/', '--country', 'FR', '-H', 'X-Role: none'),
    await traced(`${policies}/filled.yaml`, '--url', 'https://e.co/old/'),
    await traced('--edge', 'examples/edges/bookshop.json', '--url', '/api/1', '--incomplete'),
    await traced('--edge', 'examples/edges/bookshop.json', '--url', 'https://e.co/a.php', '-H', 'User-Agent: sqlmap'),
    await traced('--edge', 'examples/edges/bookshop.json', '--client-ip', '203.0.113.7', '--url', 'https://e.co/api/'),
    await traced('--edge', 'examples/edges/bookshop.json', '--url', 'https://e.co/', '--incomplete'),
    await traced('--edge', 'examples/edges/bookshop.json', '--request', '-'),
    await traced('examples/policies/bookshop.yaml', '--request', 'examples/traffic/access.log#5'),
  ];
  const found = new Set<string>();
  for (const document of documents) pathsIn(document, '', found);
  // The items of a list describe it.
  const lists = new Set([...found].filter(path => path.endsWith('[]')).map(path => path.slice(0, -2)));
  const described = new Set(TRACE_MEMBERS.map(({ path }) => path));
  expect([...found].filter(path => !described.has(path) && !lists.has(path) && !described.has(`${path}[]`))).toEqual(
    [],
  );
  expect([...described].filter(path => !found.has(path) && path !== 'diagnostics[]')).toEqual([]);
});
