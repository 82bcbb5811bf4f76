import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { PolicyTest, TestHeaders } from '@tollgate/policy';
import type { Proof } from '@tollgate/solver';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { UsageError } from '../process/usage-error.ts';
import type { ProvedGroup } from './prove-group.ts';

/**
 * Returns a file of policy tests with the request of each refuted invariant; undefined if there are none. The tests fail now, and pass as soon
 * as the policy decides the requests as the invariants say.
 */
export function writtenTests(path: string, groups: readonly ProvedGroup[]): string | undefined {
  const tests = groups.flatMap(group => testsOf(group));
  const [first] = tests;
  if (first === undefined) return undefined;
  if (tests.some(({ policy }) => policy !== first.policy)) {
    throw new UsageError(
      'the refuted invariants are about several policies, but a test file is about one; name one policy',
    );
  }
  if (existsSync(path)) throw new UsageError(`\`${path}\` already exists; choose another file for \`--write-test\``);
  const lines = tests.map(({ test }) => testLines(test));
  const policy = first.policy.startsWith('/') ? first.policy : relativeTo(path, first.policy);
  const head = '# Requests that refute invariants. Written by: tollgate prove --write-test\n';
  const body = `policy: ${JSON.stringify(policy)}\ntests:\n${lines.join('\n')}\n`;
  const document = { policy, tests: tests.map(({ test }) => test) };
  return path.endsWith('.json') ? `${JSON.stringify(document, undefined, 2)}\n` : `${head}${body}`;
}

function relativeTo(path: string, policy: string): string {
  return relative(dirname(path), policy).replaceAll('\\', '/');
}

interface WrittenTest {
  /** Relative to the working directory. */
  readonly policy: string;
  readonly test: PolicyTest;
}

function testsOf({ path, policy, proved, prover }: ProvedGroup): readonly WrittenTest[] {
  const place = isAbsolute(policy) ? policy : join(dirname(path), policy);
  return proved.flatMap(({ invariant: { name, claim }, proof }) => {
    if (proof.kind !== 'refuted') return [];
    const expect = prover?.expectationFor(claim, proof.exchange);
    return expect === undefined ? [] : [{ policy: place, test: { name, ...exchangeOf(proof), expect } }];
  });
}

function exchangeOf({ exchange }: Extract<Proof, { kind: 'refuted' }>): Omit<PolicyTest, 'name' | 'expect'> {
  const { clientIp, tls, method, url, protocol, response, time } = exchange;
  const { version, cipherSuite, serverName } = tls;
  return {
    ...(time !== undefined && { now: new Date(time).toISOString() }),
    connection: {
      ...(clientIp !== undefined && { client_ip: clientIp }),
      tls: {
        ...(version !== undefined && { version }),
        ...(cipherSuite !== undefined && { cipher_suite: cipherSuite }),
        ...(serverName !== undefined && { server_name: serverName }),
      },
    },
    request: {
      ...(method !== undefined && { method }),
      ...(url !== undefined && { url }),
      ...(protocol !== undefined && { protocol }),
      headers: headersOf(exchange.requestHeaders.fields),
      no_other_headers: true,
    },
    ...(response?.status !== undefined && { response: responseOf(response) }),
  };
}

function responseOf({ status, headers }: NonNullable<Exchange['response']>) {
  return { ...(status !== undefined && { status }), headers: headersOf(headers.fields), no_other_headers: true };
}

function headersOf(fields: readonly HeaderField[]): TestHeaders {
  const values = Map.groupBy(fields, ({ name }) => name);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? all[0]!.value : all.map(({ value }) => value)]),
  );
}

/** One line per part, each in flow style. */
function testLines({ name, ...parts }: PolicyTest): string {
  const lines = Object.entries(parts).map(([key, part]) => `    ${key}: ${JSON.stringify(part)}`);
  return [`  - name: ${JSON.stringify(name)}`, ...lines].join('\n');
}
