import { type FunctionRow, STRING_PARAMS } from './function-row.ts';

const HASHES = [
  ['crc32', 'CRC-32 (IEEE)', '0d4a1185'],
  ['crc64', 'CRC-64 (ISO)', 'b9cf3f572ad9ac3e'],
  ['md5', 'MD5', '5eb63bbbe01eeed093cb22bb8f5acdc3'],
  ['sha1', 'SHA-1', '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed'],
  ['sha256', 'SHA-256', 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  [
    'sha512',
    'SHA-512',
    '309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f',
  ],
  ['xxhash64', 'xxHash64', '45ab6734b21e6968'],
] as const;

/** Each hash as a function and as a method, with and without a format. */
export const HASH_ROWS: readonly FunctionRow[] = HASHES.flatMap(hashRows);

function hashRows([name, title, hex]: (typeof HASHES)[number]): readonly FunctionRow[] {
  const withFormat = [...STRING_PARAMS, { name: 'format', type: 'string' }] as const;
  const doc = `Returns the ${title} hash of the string in hexadecimal`;
  return [
    {
      name: `hash.${name}`,
      id: `hash_${name}_string`,
      params: STRING_PARAMS,
      result: 'string',
      doc: `${doc}.`,
      examples: [{ expression: `hash.${name}('hello world')`, value: `'${hex}'` }],
    },
    {
      name: `hash.${name}`,
      id: `hash_${name}_string_string`,
      params: withFormat,
      result: 'string',
      doc: `${doc} (\`hex\`) or in base64 (\`base64\`).`,
      examples: [{ expression: `hash.${name}('hello world', 'hex')`, value: `'${hex}'` }],
    },
    {
      name,
      id: `string_${name}`,
      member: true,
      params: STRING_PARAMS,
      result: 'string',
      body: `hash.${name}(text)`,
      doc: `${doc}.`,
      examples: [{ expression: `'hello world'.${name}()`, value: `'${hex}'` }],
    },
    {
      name,
      id: `string_${name}_string`,
      member: true,
      params: withFormat,
      result: 'string',
      body: `hash.${name}(text, format)`,
      doc: `${doc} (\`hex\`) or in base64 (\`base64\`).`,
      examples: [{ expression: `'hello world'.${name}('hex')`, value: `'${hex}'` }],
    },
  ];
}
