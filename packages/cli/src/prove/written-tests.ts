import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { PolicyTest, TestHeaders } from '@tollgate/policy';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { UsageError } from '../process/usage-error.ts';
import type { ProvedGroup, Refutation } from './prove-group.ts';

/** A file of policy tests to write. */
interface TestFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns files of policy tests with the request of each refuted invariant: one for each policy, the second with `-2` in its name. The tests
 * fail now, and pass as soon as the policy decides the requests as the invariants say.
 */
export function writtenTests(path: string, groups: readonly ProvedGroup[]): readonly TestFile[] {
  const byPolicy = Map.groupBy(groups.flatMap(testsOf), ({ policy }) => policy);
  return [...byPolicy].map(([policy, tests], at) => {
    const own = at === 0 ? path : join(dirname(path), basename(path).replace('.', `-${at + 1}.`));
    if (existsSync(own)) throw new UsageError(`\`${own}\` already exists; choose another file for \`--write-test\``);
    return { path: own, text: testText(own, policy, tests) };
  });
}

/** Returns messages about refuted invariants that no test could be written for. */
export function unwrittenTests(groups: readonly ProvedGroup[]): readonly string[] {
  return groups.flatMap(({ proved, testFor }) =>
    proved.flatMap(({ invariant: { name, claim }, proof }) => {
      if (proof.kind !== 'refuted' || testFor(claim, proof) !== undefined) return [];
      const hasNoPolicy = proof.route !== undefined && proof.route.policyAt === undefined;
      const why = hasNoPolicy ? 'the route of the request has no policy' : 'a policy test cannot say what it claims';
      return [`no test was written for \`${name}\`: ${why}`];
    }),
  );
}

function testText(path: string, named: string, tests: readonly WrittenTest[]): string {
  const policy = named.startsWith('/') ? named : relativeTo(path, named);
  const head = '# Requests that refute invariants. Written by: tollgate prove --write-test\n';
  const lines = tests.map(({ test }) => testLines(test));
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

function testsOf({ proved, testFor }: ProvedGroup): readonly WrittenTest[] {
  return proved.flatMap(({ invariant: { name, claim }, proof }) => {
    const found = proof.kind === 'refuted' ? testFor(claim, proof) : undefined;
    if (proof.kind !== 'refuted' || found === undefined) return [];
    return [{ policy: found.policy, test: { name, ...exchangeOf(proof), expect: found.expect } }];
  });
}

function exchangeOf({ exchange }: Refutation): Omit<PolicyTest, 'name' | 'expect'> {
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
