import { Buffer } from 'node:buffer';
import { EvaluationError } from '@tollgate/cel';
import { crc64 } from './crc64.ts';
import { xxhash64 } from './xxhash64.ts';

// Loading `node:crypto` and `node:zlib` takes milliseconds at every start, and few policies hash.
const crypto = () => process.getBuiltinModule('node:crypto');
const zlib = () => process.getBuiltinModule('node:zlib');

type Digest = (bytes: Uint8Array) => Uint8Array;

/** By name in the catalog. */
export const HASHES: Readonly<Record<string, Digest>> = {
  crc32: bytes => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(zlib().crc32(bytes));
    return sum;
  },
  crc64,
  xxhash64,
  md5: digestOf('md5'),
  sha1: digestOf('sha1'),
  sha256: digestOf('sha256'),
  sha512: digestOf('sha512'),
};

function digestOf(algorithm: string): Digest {
  return bytes => crypto().createHash(algorithm).update(bytes).digest();
}

const BAD_FORMAT = new EvaluationError('eval/bad-hash-format', 'a hash format must be `hex` or `base64`');

/** Returns the hash of a string's UTF-8 bytes in the given format. */
export function hashString(digest: Digest, text: string, format: string): string | EvaluationError {
  if (format !== 'hex' && format !== 'base64') return BAD_FORMAT;
  return Buffer.from(digest(Buffer.from(text, 'utf8'))).toString(format);
}
