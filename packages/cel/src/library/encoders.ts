import { BYTES, DYN, optionalOf, paramType, STRING, typeOf } from '../ast/types.ts';
import { type Implementation, inContext, partial } from '../runtime/context.ts';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from '../runtime/conversion.ts';
import { encodeJson, parseJson, parseJsonAs } from '../runtime/json.ts';
import { declare, type Library, overload, since } from './library.ts';

/** Implements the encoders library, by overload id. */
const ENCODERS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  base64_encode_bytes: inContext(encodeBase64),
  base64_decode_string: partial(decodeBase64),
  base64_encode_url_bytes: inContext(encodeBase64Url),
  base64_decode_url_string: partial(decodeBase64Url),
  json_encode_dyn: inContext(encodeJson),
  json_parse_string: inContext(parseJson),
  json_parse_string_type: inContext(parseJsonAs),
};

const T = paramType('T');

/** Base64 (RFC 4648) and JSON (RFC 8259). */
export const ENCODERS_LIBRARY: Library = {
  name: 'encoders',
  functions: [
    declare(
      'base64.encode',
      'Encodes bytes as padded base64.',
      overload('base64_encode_bytes', [BYTES], STRING, ["base64.encode(b'hello')", "'aGVsbG8='"]),
    ),
    declare(
      'base64.decode',
      'Decodes base64; padding is optional. Any other string is an error.',
      overload('base64_decode_string', [STRING], BYTES, ["base64.decode('aGVsbG8')", "b'hello'"]),
    ),
    declare(
      'base64.encodeUrl',
      'Encodes bytes as padded base64 with the URL-safe alphabet.',
      since(
        2,
        overload('base64_encode_url_bytes', [BYTES], STRING, ["base64.encodeUrl(b'\\xff\\xff\\xff')", "'____'"]),
      ),
    ),
    declare(
      'base64.decodeUrl',
      'Decodes base64 with the URL-safe alphabet; padding is optional. Any other string is an error.',
      since(2, overload('base64_decode_url_string', [STRING], BYTES, ["base64.decodeUrl('aGVsbG8')", "b'hello'"])),
    ),
    declare(
      'json.encode',
      'Encodes a value as JSON. Integers beyond 2^53, bytes (as base64), timestamps and durations become strings. NaN, infinities and values of other libraries are errors.',
      since(1, overload('json_encode_dyn', [DYN], STRING, ["json.encode([1, 'two', true])", `'[1,"two",true]'`])),
    ),
    declare(
      'json.parse',
      'Parses JSON. The result is empty if the string is not valid JSON, or not of the given type.',
      since(
        2,
        overload('json_parse_string', [STRING], optionalOf(DYN), [`json.parse('{"a": [1]}').value().a[0]`, 'dyn(1)']),
      ),
      since(
        2,
        overload('json_parse_string_type', [STRING, typeOf(T)], optionalOf(T), [
          "json.parse('123', int).value()",
          '123',
        ]),
      ),
    ),
  ],
  macros: [],
  constants: [],
  implementations: ENCODERS_IMPLEMENTATIONS,
};
