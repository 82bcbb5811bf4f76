import type { ConfigType } from '@tollgate/catalog';
import { type DocumentNode, describeNode } from '../document/model/document-node.ts';
import { listed } from '../model/read-shape.ts';
import { reportValue, type ValueContext } from './value-context.ts';

type NumberType = Extract<ConfigType, { kind: 'int' | 'number' }>;

/** Checks that a value is a number, or an integer, within its bounds. A number in quotes is an error with a safe fix. */
export function checkNumber(node: DocumentNode, type: NumberType, context: ValueContext): void {
  const { what } = context;
  const value = node.kind === 'scalar' ? node.value : undefined;
  if (typeof value !== 'number' || (type.kind === 'int' && !Number.isInteger(value))) {
    reportNoNumber(node, type, context);
    return;
  }
  const { min, max } = type;
  const values = type.kind === 'int' ? type.values : undefined;
  if (value >= min && value <= max && (values?.includes(value) ?? true)) return;
  reportValue(context, {
    code: 'config/out-of-range',
    message: `${what} must be ${values ? listed(values.map(String), 'or') : `from ${min} to ${max}`}, found ${value}`,
    range: node.range,
    args: { min, max, ...(values && { values: values.map(String) }), found: value },
  });
}

function reportNoNumber(node: DocumentNode, { kind }: NumberType, context: ValueContext): void {
  const digits = node.kind === 'scalar' && typeof node.value === 'string' && NUMBER[kind].test(node.value);
  const found = digits ? 'a number in quotes' : describeNode(node);
  const newText = node.kind === 'scalar' ? String(node.value) : '';
  reportValue(context, {
    code: 'config/wrong-type',
    message: `${context.what} must be ${kind === 'int' ? 'an integer' : 'a number'}, found ${found}`,
    range: node.range,
    args: { expected: kind, found },
    ...(digits && {
      fixes: [{ title: 'remove the quotes', applicability: 'safe', edits: [{ range: node.range, newText }] }],
    }),
  });
}

const NUMBER = { int: /^-?\d{1,15}$/, number: /^-?\d{1,15}(?:\.\d{1,15})?$/ } as const;
