import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendEvent } from './deliver.ts';

let folder: string;

beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tollgate-events-')), 'events');
  mkdirSync(folder);
  symlinkSync(tmpdir(), join(folder, 'link'));
  symlinkSync(join(folder, '..', 'secret'), join(folder, 'file-link'));
});

afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

describe('event files', () => {
  it('contain one line per event', async () => {
    await appendEvent(folder, 'team/a.jsonl', '{"a":1}');
    await appendEvent(folder, 'team/a.jsonl', '{"a":2}');
    expect(readFileSync(join(folder, 'team/a.jsonl'), 'utf8')).toBe('{"a":1}\n{"a":2}\n');
  });

  it.each(['../a', '/etc/a', 'x/../../a', '', '.', 'link/a'])('are never outside their folder: %j', async path => {
    await expect(appendEvent(folder, path, '{}')).rejects.toMatchObject({ name: 'DeliveryError', isFinal: true });
  });

  it('are never links', async () => {
    await expect(appendEvent(folder, 'file-link', '{}')).rejects.toThrow(/^cannot write `file-link`: ELOOP/);
  });
});
