import { ExternalError } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { notFound, refused } from '../api-error.ts';
import { createBaseUrl, errorAnswer } from './operation-route.ts';

const CONTEXT = { operationId: 'op_1', prefix: 'ERR_X_', maxBodyBytes: 2048 };

function coded(code: string, message = 'secret detail'): Error {
  return Object.assign(new Error(message), { code });
}

describe('error responses', () => {
  it('explain client errors, with their number', () => {
    expect(errorAnswer(refused(7032, { value: '1.2', expected: 'upstream' }, 'min_version'), CONTEXT)).toEqual({
      status: 400,
      body: {
        error_code: 'ERR_X_7032',
        status_code: 400,
        msg: "The field 'min_version' must be null when TLS is terminated at 'upstream', found '1.2'.",
        details: { operation_id: 'op_1', field: 'min_version' },
      },
      retryAfter: undefined,
      isServerFault: false,
    });
    expect(errorAnswer(notFound(), CONTEXT)).toMatchObject({ status: 404, isServerFault: false });
  });

  it.each([
    ['a failed disk', coded('ERR_SQLITE_ERROR'), 503],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 503],
    ['a database that is shutting down', coded('57P01'), 503],
    ['an unreachable database', coded('ECONNREFUSED'), 503],
    ['an unknown host', coded('ENOTFOUND'), 503],
    ['a database that only reads', coded('25006'), 503],
    ['a closed connection', new Error('Client was closed and is not queryable'), 503],
    ['a secret that cannot be decrypted', new ExternalError('store/secret', 'secret detail'), 503],
    ['an invalid query', coded('42601'), 500],
    ['a defect', new TypeError('secret detail'), 500],
    ['a thrown string', 'secret detail', 500],
  ])('do not explain %s', (_, thrown, status) => {
    const { body, ...rest } = errorAnswer(thrown, CONTEXT);
    expect(rest).toEqual({ status, isServerFault: true, retryAfter: status === 503 ? 1 : undefined });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body).toMatchObject({ status_code: status, details: { operation_id: 'op_1' } });
  });
});

describe('the base URL', () => {
  const settings = { publicUrl: '', basePath: '/v1', trustProxy: false, tlsCertFile: '' };

  it('follows the Host header of each request, for any number of hosts', () => {
    const baseUrl = createBaseUrl(settings);
    const hosts = Array.from({ length: 1500 }, (_, index) => `h${index}.example:7373`);
    expect(hosts.map(host => baseUrl({ host }))).toEqual(hosts.map(host => `http://${host}/v1`));
  });

  it.each(['', '"><script>', 'a.example/x', 'a.example:123456'])('ignores the invalid host `%s`', host => {
    expect(createBaseUrl(settings)({ host })).toBe('http://localhost/v1');
  });

  it('trusts a proxy only if configured', () => {
    const headers = { host: 'a.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'b.example' };
    expect(createBaseUrl(settings)(headers)).toBe('http://a.example/v1');
    expect(createBaseUrl({ ...settings, trustProxy: true })(headers)).toBe('https://b.example/v1');
  });
});
