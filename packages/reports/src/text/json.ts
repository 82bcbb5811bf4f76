// What JSON reports share: the form of rules and figures, and of the documentation of members.

import { escapedControls } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';

/** A member of a JSON report. */
export interface JsonMember {
  /** Path of the member; `[]` stands for each item of a list, `{}` for each value of a map. */
  readonly path: string;
  readonly doc: string;
}

/** Returns a rule as reports name it. */
export function ruleRecord({ phase, index, name }: Rule): object {
  return { phase, number: index + 1, ...(name && { name: name.value }) };
}

/** Returns JSON with lists of numbers on one line. */
export function figuresJson(document: object): string {
  return `${indented(document, '')}\n`;
}

function indented(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(item => typeof item === 'number')) return `[${value.join(', ')}]`;
    const items = value.map(item => inner + indented(item, inner));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'null' : escapedControls(JSON.stringify(value));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  const lines = fields.map(
    ([key, field]) => `${inner}${escapedControls(JSON.stringify(key))}: ${indented(field, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
