import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSecretBox, makeKeyFile, parseKeyring, readKeyring } from './encryption.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');

describe('the secret box', () => {
  it('decrypts a secret only in its place', () => {
    const box = createSecretBox(parseKeyring(OLD, 'test'));
    const sealed = box.seal('hüsh', 'a/secret');
    expect(sealed).toMatch(/^sealed:1:[0-9a-f]{8}:[A-Za-z0-9+/=]+$/);
    expect(sealed).not.toContain('sh:');
    expect(box.open(sealed, 'a/secret')).toBe('hüsh');
    expect(() => box.open(sealed, 'b/secret')).toThrow('a secret in `b/secret` cannot be decrypted');
  });

  it('encrypts the same string differently each time', () => {
    const box = createSecretBox(parseKeyring(OLD, 'test'));
    expect(box.seal('x', 'a')).not.toBe(box.seal('x', 'a'));
  });

  it('rejects a modified ciphertext', () => {
    const box = createSecretBox(parseKeyring(OLD, 'test'));
    const sealed = box.seal('hush', 'a');
    const last = sealed.at(-3) === 'A' ? 'B' : 'A';
    expect(() => box.open(`${sealed.slice(0, -3)}${last}${sealed.slice(-2)}`, 'a')).toThrow('cannot be decrypted');
    expect(() => box.open('sealed:1:00000000:AAAA', 'a')).toThrow('the encryption key 00000000 is missing');
    expect(() => box.open('plain', 'a')).toThrow('is missing');
  });

  it('decrypts with an old key and encrypts with the first', () => {
    const before = createSecretBox(parseKeyring(OLD, 'test')).seal('hush', 'a');
    const box = createSecretBox(parseKeyring(`# rotated\n${NEW}\n\n${OLD}\n`, 'test'));
    expect([box.open(before, 'a'), box.isCurrent(before), box.isCurrent(box.seal('x', 'a'))]).toEqual([
      'hush',
      false,
      true,
    ]);
  });
});

describe('the keyring', () => {
  it.each([
    ['', 'test contains no key'],
    ['# nothing', 'test contains no key'],
    [`${OLD}\nc2hvcnQ=`, 'test, line 2: expected 32 bytes in base64, found 8 characters'],
    ['not base64 at all, though it is rather long', 'test, line 1: expected 32 bytes in base64, found 43 characters'],
  ])('rejects %j without repeating it', (text, message) => {
    expect(() => parseKeyring(text, 'test')).toThrow(message);
  });

  it('is created once, in a file that only its owner can read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-key-'));
    const path = join(folder, 'key');
    makeKeyFile(path);
    const { current } = readKeyring(path);
    makeKeyFile(path);
    expect(readKeyring(path).current).toBe(current);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => readKeyring(join(folder, 'none'))).toThrow(/^cannot read the key file `.*none`: no such file$/);
    rmSync(folder, { recursive: true });
  });
});
