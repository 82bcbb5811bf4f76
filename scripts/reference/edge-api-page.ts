import { WEBHOOK_PROVIDERS } from '@tollgate/catalog';
import {
  ERRORS,
  EVENT_TYPES,
  errorCode,
  eventTypeOf,
  type Field,
  type FieldType,
  KEPT_WHILE_REFERRED_TO,
  OPERATION_IDS,
  operationOf,
  RECORD_KINDS,
  SERVER_RULES,
  SHAPES,
  shapeOf,
  sourceOf,
  UNSTABLE_OPERATIONS,
} from '@tollgate/edge-api';
import { ruleRow } from '../../test/edge-api/cases/rule-cases.ts';
import { addedRows, ERROR_NUMBERS, proofsOf, proofsOfError } from '../../test/edge-api/proofs.ts';

/** The page about the API: every row of the contract, and the test that proves it on a server. */
export function edgeApiPage(): string {
  return `# The Edge Configuration API

Written by \`npm run generate\` from \`packages/edge-api\`. The description for tools is [\`openapi.json\`](openapi.json). Sources name the
part and section of the contract. Each row names a test that proves it on a running server, and how many more there are:
\`npx vitest run test/edge-api -t 'HTTPSEdge.description'\` runs those of one row. What operations emit is proved by
\`test/edge-api/events.test.ts\`.

## Operations

${table(['operation', 'verb and path', 'answers', 'emits', 'source', 'proved by'], operationRows())}
${Object.keys(SHAPES).map(shapeSection).join('\n')}
## Rules between records

${table(['rule', 'what it says', 'error', 'source', 'proved by'], serverRuleRows())}
## The wire and behaviour

${table(
  ['row', 'source', 'proved by'],
  addedRows().map(({ key, source }) => [key, source, proof(proofsOf(key))]),
)}
## Errors

${table(['code', 'status', 'answered for', 'proved by'], errorRows())}
## Identifiers

An identifier is a prefix, \`_\` and 27 characters of a KSUID, so that identifiers sort by the time of creation.

${table(
  ['record', 'prefix', 'path'],
  Object.values(RECORD_KINDS).map(({ noun, prefix, path }) => [
    noun,
    code(prefix),
    path === null ? 'none here' : code(path),
  ]),
)}
## Event types

${EVENT_TYPES.map(code).join(', ')}

## Webhook providers

${WEBHOOK_PROVIDERS.map(code).join(', ')}
`;
}

const UNSTABLE: ReadonlySet<string> = new Set(UNSTABLE_OPERATIONS);

function operationRows(): readonly (readonly string[])[] {
  return OPERATION_IDS.map(id => {
    const operation = operationOf(id);
    const { verb, path, success } = operation;
    const marks = `${sourceOf(id)}${UNSTABLE.has(id) ? ', unstable' : ''}`;
    const event = eventTypeOf(operation);
    const emits = event === undefined ? '' : code(event);
    return [code(id), code(`${verb} ${path}`), String(success), emits, marks, proof(proofsOf(id))];
  });
}

function shapeSection(name: string): string {
  const { doc, source, fields, rules = [], extension } = shapeOf(name);
  const rows = Object.entries(fields).map(([key, field]) => fieldRow(name, key, field));
  const ruleRows = rules.map(rule => {
    const row = ruleRow(name, rule);
    return [row.replace(`${name}: `, ''), proof(proofsOf(row))];
  });
  const head = ['field', 'type', 'in', 'when absent', 'bounds', 'source', 'what it is', 'proved by'];
  return `## ${name}

${doc}${extension ? ' An extension of ours.' : ''} Source: ${source}.

${rows.length === 0 ? 'It has no fields.\n' : table(head, rows)}${
  ruleRows.length === 0 ? '' : `\n${table(['rule', 'proved by'], ruleRows)}`
}`;
}

function fieldRow(shape: string, key: string, field: Field): readonly string[] {
  const { type, use, doc, source, extension } = field;
  const inside = use === undefined ? 'both' : `${use}s`;
  return [
    `${code(key)}${extension ? ' (extension)' : ''}`,
    typeName(type),
    field.immutable ? `${inside}, not in updates` : inside,
    absence(field),
    bounds(type),
    source,
    doc,
    proof(proofsOf(`${shape}.${key}`)),
  ];
}

function absence({ use, required, default: initial, nullable, secret }: Field): string {
  if (use === 'answer') return nullable ? 'may be null' : 'always there';
  if (required !== undefined) return `error ${required}`;
  const kept = initial === undefined && nullable ? 'null' : JSON.stringify(initial);
  return `${code(kept)}${secret === undefined ? '' : ` (${secret})`}`;
}

function typeName(type: FieldType): string {
  switch (type.kind) {
    case 'list':
      return `list of ${typeName(type.of)}`;
    case 'map':
      return `map of ${typeName(type.of)}`;
    case 'shape':
      return `[${type.name}](#${type.name.toLowerCase()})`;
    case 'text':
      return 'string';
    case 'integer':
      return 'uint32';
    case 'number':
      return 'float64';
    case 'json':
      return 'object';
    case 'boolean':
      return 'boolean';
  }
}

/** Every bound of a type, with the number of its error. */
function bounds(type: FieldType): string {
  return boundsOf(type)
    .filter(bound => bound !== '')
    .join('; ');
}

function boundsOf(type: FieldType): readonly string[] {
  switch (type.kind) {
    case 'text':
      return textBounds(type);
    case 'integer':
    case 'number':
      return [type.zeroIsNone ? '0 for none' : '', limited('at least', type.min), limited('at most', type.max)];
    case 'list': {
      const unique = type.unique === undefined ? '' : `no duplicates (${type.unique.code})`;
      return [limited('at least', type.min), limited('at most', type.max), unique, bounds(type.of)];
    }
    case 'map': {
      const unique = type.uniqueKeys === undefined ? '' : `no names that differ in case only (${type.uniqueKeys})`;
      return [limited('at most', type.max), unique, bounds(type.keys), bounds(type.of)];
    }
    default:
      return [];
  }
}

function textBounds({
  maxBytes,
  oneOf,
  formats = [],
  reference,
}: Extract<FieldType, { kind: 'text' }>): readonly string[] {
  const values = oneOf && (oneOf.values.length > 10 ? 'one of a list' : oneOf.values.map(code).join(', '));
  return [
    maxBytes === undefined ? '' : `at most ${maxBytes.limit} bytes (${maxBytes.code})`,
    oneOf === undefined ? '' : `${values} (${oneOf.code})`,
    ...formats.map(({ format, code: number }) => `${format} (${number})`),
    reference === undefined ? '' : `identifier (${reference.malformed}) of what exists (${reference.missing})`,
  ];
}

function limited(words: string, limit: { readonly limit: number; readonly code: number } | undefined): string {
  return limit === undefined ? '' : `${words} ${limit.limit} (${limit.code})`;
}

function serverRuleRows(): readonly (readonly string[])[] {
  const kept = Object.entries(KEPT_WHILE_REFERRED_TO).map(([kind, number]) => {
    const row = `kept-while-referred-to ${kind}`;
    const says = 'It cannot be deleted while another record names it.';
    return [code(row), says, String(number), 'B 2.5, B 10.1', proof(proofsOf(row))];
  });
  const rules = SERVER_RULES.map(({ id, doc, code: number, source }) => [
    code(id),
    doc,
    String(number),
    source,
    proof(proofsOf(id)),
  ]);
  return [...rules, ...kept];
}

function errorRows(): readonly (readonly string[])[] {
  return ERROR_NUMBERS.map(number => {
    const { status, meaning } = ERRORS[number];
    return [code(errorCode(number)), String(status), meaning, proof(proofsOfError(number))];
  });
}

function proof(names: readonly string[]): string {
  const [first = 'nothing'] = names;
  return names.length > 1 ? `${first}, and ${names.length - 1} more` : first;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
