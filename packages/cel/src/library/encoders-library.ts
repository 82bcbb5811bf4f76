import { BYTES, STRING } from '../types/type.ts';
import { declare, overload } from './declare.ts';
import type { Library } from './library.ts';

/** Base64 (RFC 4648, standard alphabet). */
export const ENCODERS_LIBRARY: Library = {
  name: 'encoders',
  functions: [
    declare(
      'base64.encode',
      'The bytes in base64, padded.',
      overload('base64_encode_bytes', [BYTES], STRING, ["base64.encode(b'hello')", "'aGVsbG8='"]),
    ),
    declare(
      'base64.decode',
      'The bytes that a base64 text stands for; padding may be left out. A text that is not base64 is an error.',
      overload('base64_decode_string', [STRING], BYTES, ["base64.decode('aGVsbG8')", "b'hello'"]),
    ),
  ],
  macros: [],
  constants: [],
};
