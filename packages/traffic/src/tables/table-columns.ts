import { ExternalError } from '@tollgate/diagnostics';
import { type FieldMapping, mappedHeader, RECORD_FIELDS } from '../json-lines/field-mapping.ts';

/** Paths that a mapping reads, with those of fields that it does not name. */
function pathsOf({ fields = {} }: FieldMapping): readonly string[] {
  return [...RECORD_FIELDS.map(name => fields[name] ?? name), ...Object.values(fields)].filter(path => path !== '');
}

/** Whether a column holds what a mapping reads, or is named for a header. */
export function isReadColumn(name: string, mapping: FieldMapping): boolean {
  return (
    mappedHeader(name) !== undefined || pathsOf(mapping).some(path => path === name || path.startsWith(`${name}.`))
  );
}

/** The mapping with the columns that are named for headers, such as `request_headers.User-Agent`. */
export function withHeaderColumns(mapping: FieldMapping, columns: readonly string[]): FieldMapping {
  const headers = columns.filter(name => mappedHeader(name) !== undefined).map(name => [name, name]);
  return { ...mapping, fields: { ...Object.fromEntries(headers), ...mapping.fields } };
}

const SHOWN = 8;

/** A table none of whose columns is read. */
export function noColumns(file: string, columns: readonly string[]): ExternalError {
  const shown = columns.slice(0, SHOWN).map(name => `\`${name}\``);
  const found = `${shown.join(', ')}${columns.length > SHOWN ? ' and others' : ''}`;
  const expected = 'expected columns such as `time`, `client_ip`, `method`, `url` and `status`, or a mapping of fields';
  return new ExternalError('traffic/no-columns', `cannot read \`${file}\`: ${expected}; found ${found}`);
}
