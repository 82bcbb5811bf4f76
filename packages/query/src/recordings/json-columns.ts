/** JSON lines in the SQL of DuckDB: the types that are read, and the columns of `raw` in terms of them. */
import { quotedName, singleQuoted } from '@tollgate/diagnostics';
import type { FieldReading } from '@tollgate/traffic/columns';
import { type ColumnLayout, UnsupportedQueryError } from './column-record.ts';
import {
  authorityInText,
  bitsOf,
  columnOf,
  isoTime,
  type LoadedInputs,
  ownMember,
  type ParsedRecord,
  type RecordingFile,
  sentInJson,
  startInJson,
  unusualStatusIn,
  withTime,
} from './source.ts';

/** What is loaded of JSON lines. */
export interface RawTable extends LoadedInputs {
  readonly layout: ColumnLayout;
  readonly spelling: Spellings;
}

/** Returns the rows of `raw` for those of a file. */
export function rowsIn({ file, compression }: Pick<RecordingFile, 'file' | 'compression'>, table: RawTable): string {
  const columns = [...typesOf(table)].map(([name, type]) => `${singleQuoted(name)}: ${singleQuoted(type)}`).join(', ');
  return rawRows(
    table,
    `read_json(${singleQuoted(file)}, format = 'newline_delimited', columns = {${columns || "'-': 'JSON'"}}, compression = ${singleQuoted(compression)})`,
  );
}

/** Returns no rows, with the columns of `raw`. */
export function noRows(table: RawTable): string {
  const nulls = [...typesOf(table)].map(([name, type]) => `null::${type} as ${quotedName(name)}`);
  return rawRows(table, `(select ${nulls.join(', ') || 'null'} limit 0)`);
}

function rawRows(table: RawTable, from: string): string {
  const { time } = table;
  return withTime(`select ${selection(table)} from ${from}`, time, time ? usualTime(table, time.input) : '');
}

function usualTime({ layout }: RawTable, input: number): string {
  const column = columnOf(input);
  return layout.inputs.all[input]!.kind === 'start' ? `try_cast(${column} as bigint)` : isoTime(column, '"');
}

/** The columns of `raw` in terms of the columns that are read. */
function selection(table: RawTable): string {
  const { layout, inputs, absent, spelling } = table;
  const all = inputs.map(number => {
    const input = layout.inputs.all[number]!;
    const value = input.kind === 'presence' ? presenceIn(table, input.object) : textOf(table, number);
    return `${input.kind === 'sent' ? sentInJson(input.name, value, layout) : value} as ${columnOf(number)}`;
  });
  const other = bitsOf(absent.map(number => textOf(table, number)));
  const odd = spelling.isMixed
    ? [...layout.objects].map(object => `coalesce(${oddIn(table, object)}, false)`).join(' or ')
    : '';
  return [...all, `${other} as other`, `${odd || 'false'} as odd`].join(', ');
}

function textOf({ layout, spelling }: RawTable, number: number): string {
  const input = layout.inputs.all[number]!;
  const memberText = (name: string) => `${quotedName(name)}::varchar`;
  if (input.kind === 'member') return memberText(input.name);
  if (input.kind === 'authority') return authorityInJson(memberText(input.name), input.field);
  if (input.kind === 'unusual-status') return unusualStatusIn(memberText(input.name), '"?');
  if (input.kind === 'others') return 'null::varchar';
  if (input.kind === 'start') {
    return startInJson(`coalesce(${input.times.map(memberText).join(', ')})`);
  }
  const object = quotedName(input.object);
  if (input.kind === 'presence') return object;
  const names = spelling.of(input.name);
  if (!spelling.isMixed) return `${object}.${quotedName(names[0]!)}::varchar`;
  const values = names.map(name => `${object}[${singleQuoted(name)}]::varchar`);
  const isNamed = names.map(name => `map_contains(${object}, ${singleQuoted(name)})`).join(' or ');
  return `coalesce(${values.join(', ')}, case when ${isNamed} then 'null' end)`;
}

/** Returns it as JSON. Most targets begin with a slash. */
function authorityInJson(value: string, field: Parameters<typeof authorityInText>[1]): string {
  const authority = authorityInText(`(${value}->>'$')`, field);
  return `case when starts_with(${value}, '"') and not starts_with(${value}, '"/') then to_json(${authority})::varchar end`;
}

/** Whether an object has headers, or says that there were none. */
function presenceIn({ layout, spelling }: RawTable, object: string): string {
  const held = quotedName(object);
  return !spelling.isMixed || layout.isComplete ? `${held} is not null` : `coalesce(cardinality(${held}) > 0, false)`;
}

/** Whether an object of headers has other spellings or several values of a name, or begins with a value that says nothing. */
function oddIn(table: RawTable, object: string): string {
  const { layout, inputs, absent } = table;
  const read = [...inputs, ...absent].filter(number => {
    const input = layout.inputs.all[number]!;
    return 'name' in input && 'object' in input && input.object === object;
  });
  const values = new Map(read.map(number => [(layout.inputs.all[number]! as { readonly name: string }).name, number]));
  if (![...inputs, ...absent].some(number => 'object' in layout.inputs.all[number]!)) return 'false';
  if (!typesOf(table).has(object)) return 'false';
  const held = quotedName(object);
  const silent = `not regexp_matches(map_values(${held})[1]::varchar, '^(?:["0-9-]|\\[["0-9-])')`;
  if (values.size === 0) return `coalesce(${silent}, false)`;
  const names = [...values.keys()].map(singleQuoted).join(', ');
  const found = [...values.values()].map(number => `(${textOf(table, number)} is not null)::integer`).join(' + ');
  return `len(list_filter(map_keys(${held}), lambda name: lower(name) in (${names}))) <> ${found} or coalesce(${silent}, false)`;
}

/** The types of the members that are read. JSON is the value as it stands in the line. */
function typesOf({ layout, inputs, absent, spelling }: RawTable): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  const headers = new Map<string, string[]>();
  for (const number of [...inputs, ...absent]) {
    const input = layout.inputs.all[number]!;
    if (input.kind === 'start') for (const name of input.times) types.set(name, 'JSON');
    else if (input.kind === 'others') continue;
    else if (!('object' in input)) types.set(input.name, 'JSON');
    else {
      const names = headers.get(input.object) ?? [];
      headers.set(input.object, names);
      if (input.kind !== 'presence') names.push(spelling.of(input.name)[0]!);
    }
  }
  for (const [object, names] of headers) {
    if (types.has(object))
      throw new UnsupportedQueryError(`the mapping reads \`${object}\` both as headers and as a value`);
    // A struct has at least one member.
    const members = (names.length === 0 ? ['-'] : [...new Set(names)]).map(name => `${quotedName(name)} JSON`);
    types.set(object, spelling.isMixed ? 'MAP(VARCHAR, JSON)' : `STRUCT(${members.join(', ')})`);
  }
  return types;
}

/** Returns that a column has no value, in SQL. Escapes may hide what stands for a missing one. */
export function missingIn(column: string, { missing }: FieldReading): string {
  if (missing.length === 0) return `${column} is null`;
  const signs = missing.map(sign => singleQuoted(JSON.stringify(sign))).join(', ');
  return `(${column} is null or ${column} in (${signs}) or contains(${column}, '\\'))`;
}

/** How records spell the names of headers. */
export class Spellings {
  readonly #found = new Map<string, Set<string>>();
  #isMixed = false;

  constructor(layout: ColumnLayout, sample: readonly ParsedRecord[]) {
    for (const record of sample) {
      for (const object of layout.objects) {
        const held = ownMember(record, object);
        if (typeof held !== 'object' || held === null || Array.isArray(held)) continue;
        for (const [name, value] of Object.entries(held)) {
          this.#add(name);
          // As columns, null and nothing are the same.
          this.#isMixed ||= value === null;
        }
        this.#isMixed ||= Object.keys(held).length === 0 && !layout.isComplete;
      }
    }
  }

  #add(name: string): void {
    const lower = name.toLowerCase();
    const known = this.#found.get(lower) ?? new Set();
    this.#found.set(lower, known.add(name));
    this.#isMixed ||= known.size > 1;
  }

  /** Whether records spell a name in several ways, or name headers that were not sent. */
  get isMixed(): boolean {
    return this.#isMixed;
  }

  /** @param name another spelling; empty for a record without headers */
  mix(name: string): void {
    if (name !== '') this.#add(name);
    this.#isMixed = true;
  }

  /** The usual one if the sample does not contain the header: `X-Api-Key`. */
  of(lowerCase: string): readonly string[] {
    const usual = lowerCase.replace(/(?:^|-)[a-z]/g, start => start.toUpperCase());
    return [...(this.#found.get(lowerCase) ?? (this.#isMixed ? [usual, lowerCase] : [usual]))];
  }
}
