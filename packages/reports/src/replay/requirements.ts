// Which fields of recorded traffic a policy needs, and how to log them.

import { printable } from '@tollgate/diagnostics';
import { type RuleRequirements, recordedFieldsOf } from '@tollgate/simulator';
import { type Recording, USUAL_FIELDS } from '@tollgate/traffic';
import { type Cell, heading, type Layout, proseWidth, tableRoom, tableText, wrapText } from '../text/layout.ts';
import { ruleLabel } from './replay-result.ts';

/** An input of a policy, and the recorded fields that it is derived from. */
interface NeededInput {
  /** As in reports: `req.Headers["X-Key"]`. */
  readonly input: string;
  /** Names of record fields; empty if no recording contains the input. */
  readonly fields: readonly string[];
  /** True if common log formats contain all of the fields. */
  readonly isUsual: boolean;
  /** The rules and actions that read it: `inbound 2`, `inbound 2 redirect`. */
  readonly for: readonly string[];
}

/** The data of the report. */
interface RequirementsReport {
  readonly name: string;
  readonly endpoint: string;
  readonly inputs: readonly NeededInput[];
  readonly recordings: readonly Recording[];
}

/** Returns the inputs that the rules need, in order of first use. */
export function neededInputs(rules: readonly RuleRequirements[]): readonly NeededInput[] {
  const readers = new Map<string, Set<string>>();
  const add = (needs: readonly string[], reader: string) => {
    for (const input of needs) readers.set(input, (readers.get(input) ?? new Set()).add(reader));
  };
  for (const rule of rules) {
    add(rule.conditions, ruleLabel(rule));
    for (const { type, needs } of rule.actions) add(needs, `${ruleLabel(rule)} ${type}`);
  }
  return [...readers].map(([input, labels]) => {
    const fields = recordedFieldsOf(input);
    const isUsual = fields.length > 0 && fields.every(field => USUAL_FIELDS.includes(field));
    return { input, fields, isUsual, for: [...labels] };
  });
}

/** Fields that a geolocation database derives from the client address. */
const LOCATED: readonly string[] = [
  ...['country', 'continent', 'region', 'city', 'postal_code', 'time_zone', 'latitude', 'longitude'],
  ...['asn', 'as_organization', 'geoip'],
];

/** Renders the report for the terminal. */
export function textRequirements({ name, endpoint, inputs, recordings }: RequirementsReport, layout: Layout): string {
  const title = layout.paint('strong', `${name} (${endpoint})`);
  if (inputs.length === 0) return `${title} needs no recorded field: it decides every request the same way\n`;
  const sections = [`${title} needs these recorded fields`, inputTable(inputs, layout)];
  const notes = notesOn(inputs).flatMap(note => wrapText(note, proseWidth(layout)));
  if (notes.length > 0) sections.push(notes.join('\n'));
  for (const recording of recordings) sections.push(recordingSection(recording, layout));
  return `${sections.join('\n\n')}\n`;
}

function inputTable(inputs: readonly NeededInput[], layout: Layout): string {
  const titles = heading('input', 'field', 'in common logs', 'for');
  const fit = { width: tableRoom(layout), elastic: [{ column: 3, least: 12, keep: 'start' }] } as const;
  return tableText([titles, ...inputs.flatMap(inputRows)], [], layout.paint, fit);
}

/** One row per field; fields that only databases contain share a row. */
function inputRows({ input, fields, for: readers }: NeededInput): readonly Cell[][] {
  const named = fields.filter(field => field !== 'geoip');
  const shown = named.length > 0 ? named : ['–'];
  return shown.map((field, index): Cell[] => [
    { text: index === 0 ? printable(input) : '' },
    { text: field },
    usual(named.length > 0 ? field : fields[0]),
    { text: index === 0 ? readers.join(', ') : '', style: 'frame' },
  ]);
}

function usual(field: string | undefined): Cell {
  if (field === undefined) return { text: 'never', style: 'frame' };
  if (USUAL_FIELDS.includes(field)) return { text: 'yes', style: 'hint' };
  return LOCATED.includes(field) ? { text: 'with --geoip' } : { text: 'no', style: 'warning' };
}

function notesOn(inputs: readonly NeededInput[]): readonly string[] {
  const fields = new Set(inputs.flatMap(input => input.fields));
  const notes: string[] = [];
  if (fields.has('request_headers') || fields.has('response_headers')) {
    notes.push('Some expressions read all headers, which only HAR files and JSON Lines with complete headers contain.');
  }
  if (inputs.some(input => input.fields.length === 0)) {
    notes.push('Inputs that no recording contains stay unknown; where they decide, the result is undetermined.');
  }
  return notes;
}

function recordingSection({ server, configuration, logFormat, missing }: Recording, { paint }: Layout): string {
  const unrecorded = missing.filter(field => field !== 'geoip');
  const without = unrecorded.length === 0 ? '' : ` (without ${unrecorded.join(', ')})`;
  const replay = 'tollgate replay';
  const reading =
    logFormat === undefined
      ? `${replay} policy.yaml tollgate.jsonl`
      : `${replay} --log-format "$(cat format.conf)" policy.yaml tollgate.log  (format.conf contains the directive above)`;
  return `${paint('strong', server)}${without}\n\n${configuration}\n\n${paint('frame', `Replay with: ${reading}`)}`;
}
