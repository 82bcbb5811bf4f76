import type { Implementation } from '../context/implementation.ts';
import { inContext, partial } from '../context/implementation-kinds.ts';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from '../encodings/base64.ts';
import { encodeJson, parseJson, parseJsonAs } from '../encodings/json.ts';

/** Implements the encoders library, by overload id. */
export const ENCODERS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  base64_encode_bytes: inContext(encodeBase64),
  base64_decode_string: partial(decodeBase64),
  base64_encode_url_bytes: inContext(encodeBase64Url),
  base64_decode_url_string: partial(decodeBase64Url),
  json_encode_dyn: inContext(encodeJson),
  json_parse_string: inContext(parseJson),
  json_parse_string_type: inContext(parseJsonAs),
};
