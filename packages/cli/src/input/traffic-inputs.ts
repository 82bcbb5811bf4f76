// The recordings that arguments name, with how to read them.

import type { ConfigField } from '@tollgate/catalog';
import { textReport } from '@tollgate/diagnostics';
import { type Fault, readSettings } from '@tollgate/policy';
import type { SqlFieldMappingName } from '@tollgate/query';
import {
  type FieldMapping,
  fieldsWithoutHeaders,
  logFormatFault,
  RECORD_FIELDS,
  type ReadTrafficOptions,
  TRAFFIC_FORMATS,
  unknownFields,
} from '@tollgate/traffic';
import { UsageError } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import type { NamedBy } from '../trust/confinement.ts';
import { type DirectoryFiles, findInputs } from './find-inputs.ts';
import { readSource, requireReadable } from './read-source.ts';
import { type InputOptions, READY_MAPPING_CHOICES } from './traffic-options.ts';

/** The recordings to read, and how to read them. */
export interface TrafficInputs {
  readonly files: readonly string[];
  readonly traffic: ReadTrafficOptions;
  /** SQL of fields in a table, by field. */
  readonly expressions: Readonly<Record<string, string>>;
  /** The product whose usual columns a table has. */
  readonly ready?: SqlFieldMappingName;
}

/**
 * Resolves the arguments and options for recorded traffic. Reports an invalid mapping file and returns undefined. Throws an `ExternalError`
 * for arguments that match no file, and a {@link UsageError} for unknown field names.
 */
export async function resolveTraffic(
  { files, table, ...options }: InputOptions & { readonly files: readonly string[]; readonly table?: string },
  terminal: Terminal,
): Promise<TrafficInputs | undefined> {
  const ready = READY_MAPPING_CHOICES.find(name => name === options.mapping);
  if (ready !== undefined && table === undefined)
    throw new UsageError(`\`--mapping ${ready}\` is for tables; leave it out, the format of recordings is detected`);
  const written: TableMapping | undefined =
    options.mapping === undefined || ready !== undefined ? {} : await readMapping(options.mapping, terminal);
  if (written === undefined) return undefined;
  const { sql: expressions = {}, ...read } = written;
  const { absent } = options;
  const mapping = { ...read, fields: { ...read.fields, ...options.fields }, ...(absent && { absent }) };
  const [unknown] = unknownFields({ fields: { ...mapping.fields, ...expressions } });
  if (unknown !== undefined) throw new UsageError(unknownFieldMessage(unknown));
  const { logFormat } = options;
  const fault = logFormat === undefined ? undefined : logFormatFault(logFormat);
  if (fault !== undefined) throw new UsageError(`--log-format: ${fault}`);
  const format = TRAFFIC_FORMATS.find(name => name === options.trafficFormat);
  const { paths, failures } = await findInputs(files, TRAFFIC);
  for (const failure of failures) throw failure;
  for (const path of paths) requireReadable(path, 'user', terminal);
  const traffic = {
    mapping,
    ...(format && { format }),
    ...(logFormat !== undefined && { logFormat }),
    ...(options.strict && { strict: true }),
  };
  return { files: paths, traffic, expressions, ...(ready && { ready }) };
}

const TRAFFIC: DirectoryFiles = {
  pattern: '**/*',
  // Names of rotated logs end in a number or date.
  isIncluded: name => /\.(?:har|jsonl?|ndjson|log|txt|csv|parquet|gz|zst)(?:[.-]\d+)*$|access|traffic/i.test(name),
  what: 'recorded traffic',
};

const MAPPING_FIELDS: readonly ConfigField[] = [
  {
    name: 'fields',
    type: { kind: 'map', value: { kind: 'string' } },
    doc: 'Path of each field in a record, by field name.',
  },
  {
    name: 'sql',
    type: { kind: 'map', value: { kind: 'string' } },
    doc: 'SQL of each field that no column of a table holds as it is, by field name; for `--table`.',
  },
  {
    name: 'complete_headers',
    type: { kind: 'bool' },
    default: false,
    doc: 'Headers that the header object of a record lacks were not sent.',
  },
  {
    name: 'absent',
    type: { kind: 'list', of: { kind: 'string' } },
    doc: 'What the server writes for a header that was not sent; all other strings are values.',
  },
  {
    name: 'absent_in',
    type: { kind: 'map', value: { kind: 'list', of: { kind: 'string' } } },
    doc: 'The same for single fields, such as `user_agent` or `request_headers.X-Key`, by field name.',
  },
];

interface MappingFile {
  readonly fields?: Readonly<Record<string, string>>;
  readonly sql?: Readonly<Record<string, string>>;
  readonly complete_headers?: boolean;
  readonly absent?: readonly string[];
  readonly absent_in?: Readonly<Record<string, readonly string[]>>;
}

/** A mapping of fields to columns or expressions. */
interface TableMapping extends FieldMapping {
  readonly sql?: Readonly<Record<string, string>>;
}

/** Reads a file that maps fields; reports an invalid one and returns undefined. */
export async function readMapping(
  file: string,
  terminal: Terminal,
  by: NamedBy = 'user',
): Promise<TableMapping | undefined> {
  const source = await readSource(file, terminal, by);
  if (source instanceof Error) throw source;
  const { value, diagnostics } = readSettings<MappingFile>(source, MAPPING_FIELDS, mappingFaults);
  if (value === undefined) {
    terminal.write(textReport({ sources: [source], diagnostics }, reportStyle(terminal)));
    return undefined;
  }
  const { fields = {}, sql = {}, complete_headers: completeHeaders = false, absent, absent_in: absentIn } = value;
  return { fields, sql, completeHeaders, ...(absent && { absent }), ...(absentIn && { absentIn }) };
}

function mappingFaults({ fields = {}, sql = {}, absent_in: absentIn = {} }: MappingFile): readonly Fault[] {
  const unknown = Object.entries({ fields, sql }).flatMap(([section, map]) =>
    unknownFields({ fields: map }).map(
      (name): Fault => ({
        path: [section, name],
        message: unknownFieldMessage(name),
        ofKey: true,
      }),
    ),
  );
  const others = fieldsWithoutHeaders({ absentIn }).map(
    (name): Fault => ({
      path: ['absent_in', name],
      message: `\`${name}\` is not a field with headers; use \`user_agent\`, \`referer\`, \`request_headers\`, \`response_headers\`, or a header such as \`request_headers.NAME\``,
      ofKey: true,
    }),
  );
  return [...unknown, ...others];
}

function unknownFieldMessage(name: string): string {
  const known = RECORD_FIELDS.map(field => `\`${field}\``).join(', ');
  return `unknown field \`${name}\`; use one of ${known}, or a header such as \`request_headers.NAME\``;
}
